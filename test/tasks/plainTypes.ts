import ts from 'typescript';

/** A type derived from a value, usually its schema, which is unreadable without the schema library. */
const OF_VALUE = /\btypeof\b/;
/** A field that takes a schema. Matches what every version of zod 4 has. */
const SCHEMA_OF = /\bz\.ZodMiniType<(\w+)>/g;

/**
 * Writes out a file's types that are derived from schemas. In the declarations in `text`, each such alias is replaced by the type
 * itself, with the documentation of the schema's fields.
 */
export function plainTypes(source: ts.SourceFile, checker: ts.TypeChecker, text: string): string {
  let plain = text;
  source.forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node) || !OF_VALUE.test(node.type.getText(source))) return;
    const type = checker.getTypeAtLocation(node.name);
    const alias = new RegExp(`(type ${node.name.text} = )[^;]*;`);
    plain = plain.replace(alias, (_, head: string) => `${head}${written(type, node, checker, '')};`);
  });
  return plain.replace(SCHEMA_OF, '{ readonly _zod: { readonly output: $1 } }');
}

/** Types being written out, so that a recursive type is referred to by name. */
const open = new Set<ts.Type>();

function written(type: ts.Type, at: ts.Node, checker: ts.TypeChecker, indent: string): string {
  if (open.has(type)) return type.aliasSymbol?.name ?? 'unknown';
  open.add(type);
  try {
    return writtenOut(type, at, checker, indent);
  } finally {
    open.delete(type);
  }
}

function writtenOut(type: ts.Type, at: ts.Node, checker: ts.TypeChecker, indent: string): string {
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(arrayReference(type));
    const text = item === undefined ? 'unknown' : written(item, at, checker, indent);
    return item === undefined || isPlainObject(item) || /^[\w.]+$/.test(text) ? `${text}[]` : `(${text})[]`;
  }
  if (type.isUnion() && type.types.some((one) => isPlainObject(one) || checker.isArrayType(one))) {
    return type.types.map((one) => written(one, at, checker, indent)).join(' | ');
  }
  if (isPlainObject(type)) return object(type, at, checker, indent);
  return checker.typeToString(type, at, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias);
}

function arrayReference(type: ts.Type): ts.TypeReference {
  if (!isReference(type)) throw new Error('An array has no type of its items.');
  return type;
}

function isObject(type: ts.Type): type is ts.ObjectType {
  return (type.flags & ts.TypeFlags.Object) !== 0;
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return isObject(type) && (type.objectFlags & ts.ObjectFlags.Reference) !== 0;
}

/** An object with fields: not a function, class, or map with arbitrary keys. */
function isPlainObject(type: ts.Type): boolean {
  if (!isObject(type) || isReference(type)) return false;
  return (
    type.getCallSignatures().length === 0 &&
    type.getStringIndexType() === undefined &&
    type.getProperties().length > 0 &&
    !type.isClassOrInterface()
  );
}

function object(type: ts.Type, at: ts.Node, checker: ts.TypeChecker, indent: string): string {
  const inner = `${indent}    `;
  const fields = type.getProperties().map((field) => {
    const said = ts.displayPartsToString(field.getDocumentationComment(checker)).trim().replaceAll('\n', ' ');
    const optional = field.flags & ts.SymbolFlags.Optional ? '?' : '';
    const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : JSON.stringify(field.name);
    const value = written(valueOf(field, checker), at, checker, inner);
    return `${said === '' ? '' : `${inner}/** ${said} */\n`}${inner}${name}${optional}: ${value};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

/** For an optional field, its type when present. */
function valueOf(field: ts.Symbol, checker: ts.TypeChecker): ts.Type {
  const type = checker.getTypeOfSymbol(field);
  if (!(field.flags & ts.SymbolFlags.Optional) || !type.isUnion()) return type;
  const there = type.types.filter((one) => !(one.flags & ts.TypeFlags.Undefined));
  const [only] = there;
  if (there.length === 1 && only) return only;
  return there.some((one) => one.flags & ts.TypeFlags.Null) ? type : checker.getNonNullableType(type);
}
