import assert from 'node:assert/strict';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptDescriptions, scriptDescriber } from '../../../src/engine';
import { nodePorts } from '../../../src/node/nodePorts';
import { nodeSyntaxTrees } from '../../../src/node/scripts/nodeSyntaxTrees';
import { collectGarbage } from '../../support/collectGarbage';
import { described, describeScript, only, property } from '../../support/describedScript';
import { scriptPrograms } from '../../support/scriptPrograms';
import { temporaryFolder } from '../temporaryFolder';

const python = (parameter: string, before = '') =>
  `${before}\ndef run(${parameter}):\n    """Does it.\n\n    Args:\n        x: What it is\n    """\n    return x\n`;
describe('Describing Python', () => {
  const said = { description: 'What it is' };
  const text = { type: 'string', ...said };
  const types: readonly (readonly [string, unknown, boolean])[] = [
    ['x', text, true],
    ['x=False', { type: 'boolean', default: false, ...said }, false],
    ['x=3', { type: 'integer', default: 3, ...said }, false],
    ['x=3.0', { type: 'number', default: 3, ...said }, false],
    ["x='a'", { ...text, default: 'a' }, false],
    ['x=[]', { type: 'array', default: [], ...said }, false],
    ['x={}', { type: 'object', default: {}, ...said }, false],
    ['x=None', text, false],
    ['x: str', text, true],
    ['x: str = "a b"', { ...text, default: 'a b' }, false],
    ["x: str = ''", { ...text, default: '' }, false],
    ['x: int', { type: 'integer', ...said }, true],
    ['x: int = 1_000', { type: 'integer', default: 1000, ...said }, false],
    ['x: float = -0.5', { type: 'number', default: -0.5, ...said }, false],
    ['x: bool = True', { type: 'boolean', default: true, ...said }, false],
    ['x: Any', said, true],
    ['x: Optional[str]', text, false],
    ['x: Optional[int] = None', { type: 'integer', ...said }, false],
    ['x: str | None', text, false],
    ['x: int | str', { anyOf: [{ type: 'integer' }, { type: 'string' }], ...said }, true],
    ['x: typing.Union[int, None]', { type: 'integer', ...said }, false],
    ['x: list', { type: 'array', ...said }, true],
    ['x: list[str]', { type: 'array', items: { type: 'string' }, ...said }, true],
    ['x: List[Optional[int]] = []', { type: 'array', items: { type: 'integer' }, default: [], ...said }, false],
    ['x: Tuple[int, ...]', { type: 'array', items: { type: 'integer' }, ...said }, true],
    [
      'x: tuple[int, str]',
      { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, ...said },
      true,
    ],
    ['x: dict', { type: 'object', ...said }, true],
    [
      'x: Dict[str, list[int]]',
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } }, ...said },
      true,
    ],
    ['x: Literal["a", "b|c"]', { type: 'string', enum: ['a', 'b|c'], ...said }, true],
    ['x: Literal["a\\nb", "c\\td", "e\\"f"]', { type: 'string', enum: ['a\nb', 'c\td', 'e"f'], ...said }, true],
    ['x: Literal[1, 2] | None', { type: 'number', enum: [1, 2], ...said }, false],
    ['x: "str"', text, true],
    ['x: Annotated[int, "much"]', { type: 'integer', ...said }, true],
    ['x: Somebody', said, true],
    ['*, x: str', text, true],
    ...['bytes', 'pathlib.Path', 'datetime.datetime', 'date', 'UUID'].map(
      (type) => [`x: ${type}`, text, true] as const,
    ),
    ['x: Decimal', { type: 'number', ...said }, true],
    ...['Dict', 'Mapping'].map((type) => [`x: ${type}`, { type: 'object', ...said }, true] as const),
    ['x: object', said, true],
  ];
  for (const [parameter, schema, isRequired] of types) {
    it(`parses “${parameter}” (P-7.2)`, async () => {
      assert.deepEqual(await property('look.py', python(parameter)), { schema, isRequired });
    });
  }

  it('resolves the script’s enums and classes (P-7.2)', async () => {
    const before = `from enum import Enum
class Unit(str, Enum):
    CELSIUS = "c"
    KELVIN = "k"
class Place(TypedDict):
    name: str
    unit: Unit
    height: NotRequired[int]
    inner: "Place"
`;
    assert.deepEqual(await property('look.py', python('x: list[Place]', before)), {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            unit: { type: 'string', enum: ['c', 'k'] },
            height: { type: 'integer' },
            inner: {},
          },
          required: ['name', 'unit', 'inner'],
        },
        ...said,
      },
      isRequired: true,
    });
  });

  it('reads parameter descriptions even after an empty line, and keeps the rest (P-7.1)', async () => {
    const tool = await only(
      'look.py',
      `async def run(a: str, b, c=1):
    '''Looks up.

    In two paragraphs.

    Args:
        a: The first,
            on two lines

        b (int, optional): The second
        c (list[str]): The third

    Returns:
        What it found.
    '''
`,
    );
    assert.equal(tool.description, 'Looks up.\n\nIn two paragraphs.\n\nReturns:\n    What it found.');
    assert.deepEqual(tool.inputSchema['properties'], {
      a: { type: 'string', description: 'The first,\non two lines' },
      b: { type: 'integer', description: 'The second' },
      c: { type: 'array', items: { type: 'string' }, default: 1, description: 'The third' },
    });
    assert.deepEqual(
      [tool.name, tool.entry, tool.takes, tool.line, tool.parameters.map(({ name }) => name)],
      ['look', 'run', 'each', 1, ['a', 'b', 'c']],
    );
  });

  it('reads docstrings in NumPy style', async () => {
    const docs = `
    Fetch a page.

    Parameters
    ----------
    url : str
        The address,
        with its scheme.

        Not a file.
    depth, width : int, optional
        How far. Default is 2.
    headers : dict of str to str

    Returns
    -------
    list
        The pages
    `;
    const script = `def run(url, depth=2, width=3, headers=None):\n    """${docs}"""\n`;
    const { description, inputSchema } = await only('fetch.py', script);
    assert.equal(description, 'Fetch a page.\n\nReturns\n-------\nlist\n    The pages');
    const how = (value: number) => ({ type: 'integer', default: value, description: 'How far. Default is 2.' });
    assert.deepEqual(inputSchema['required'], ['url']);
    assert.deepEqual(inputSchema['properties'], {
      url: { type: 'string', description: 'The address,\nwith its scheme.\n\nNot a file.' },
      depth: how(2),
      width: how(3),
      headers: { type: 'object' },
    });
  });

  it('reads which fields of a class may be missing, and their descriptions', async () => {
    const before = `
class Where(TypedDict, total=False):
    lat: float
    name: Required[str]
class Item(BaseModel):
    name: str = Field(..., description="Its name")
    unit: str = Field(min_length=1)
    price: float = Field(default=0.5, ge=0)
    tags: list[str] = Field(default_factory=list)
@dataclass
class Rest:
    key: str = field(repr=False)
    more: list[Item] = field(default_factory=list)
`;
    const { inputSchema } = await only('buy.py', python('x: Where, item: Item, rest: Rest', before));
    const words = { type: 'string' };
    const item = {
      type: 'object',
      properties: {
        name: { ...words, description: 'Its name' },
        unit: words,
        price: { type: 'number' },
        tags: { type: 'array', items: words },
      },
      required: ['name', 'unit'],
    };
    const where = { type: 'object', properties: { lat: { type: 'number' }, name: words }, required: ['name'] };
    const rest = {
      type: 'object',
      properties: { key: words, more: { type: 'array', items: item } },
      required: ['key'],
    };
    assert.deepEqual(inputSchema['properties'], { x: { ...where, ...said }, item, rest });
  });

  it('reads docstrings in Sphinx style', async () => {
    const { inputSchema, description } = await only(
      'look.py',
      'def run(a):\n    """Looks up.\n\n    :param int a: The first\n    :return: what it found\n    """\n',
    );
    assert.equal(description, 'Looks up.');
    assert.deepEqual(inputSchema['properties'], { a: { type: 'integer', description: 'The first' } });
  });

  it('includes every public function of an agent, decorated or not', async () => {
    const text = `
import os
@decorated
def add_Note(text: str):
    """Adds a note."""
def list_notes():
    "Lists notes."
def _helper():
    pass
def _instructions():
    """Tells."""
class X:
    def inner(self): pass
`;
    const { functions, hasInstructions, problems } = await described('tools.py', text, 'agent');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      functions.map(({ name, entry }) => [name, entry]),
      [
        ['add_note', 'add_Note'],
        ['list_notes', 'list_notes'],
      ],
    );
    assert.equal(hasInstructions, true);
  });

  it('reads variables and programs from comments', async () => {
    const { variables, programs } = await described(
      'look.py',
      `# @env TIDE_KEY! The key\n# @meta require-tools git\n${python('x')}`,
    );
    assert.deepEqual(
      [variables, programs],
      [[{ name: 'TIDE_KEY', isRequired: true, description: 'The key' }], ['git']],
    );
  });

  const wrong: readonly (readonly [string, string, number, number, RegExp])[] = [
    ['the syntax is wrong', 'import os\ndef run(:\n    pass\n', 2, 1, /is not valid Python/],
    ['the function is missing', '\nx = 1\n', 1, 1, /no function run/],
    ['the docstring is missing', '\ndef run():\n    pass\n', 2, 1, /look\w* has no description for models/],
    ['the function takes *args', 'def run(*args):\n    "X"\n', 1, 9, /what \*args takes/],
    ['the function takes **kwargs', 'def run(a, **kwargs: int):\n    "X"\n', 1, 12, /what \*\*kwargs: int takes/],
    ['the function has a positional-only parameter', 'def run(a, /, b):\n    "X"\n', 1, 12, /by name/],
  ];
  for (const [what, text, line, column, message] of wrong) {
    it(`reports the location and the reason when ${what}`, async () => {
      const { functions, problems } = await described('look.py', text);
      assert.deepEqual(functions, []);
      assert.match(problems.map((one) => one.message).join(), message);
      const [first] = problems;
      assert.deepEqual([first?.line, what === 'the syntax is wrong' ? 1 : first?.column], [line, column]);
    });
  }

  it('reads a docstring of nearly 1 MB without line breaks', async () => {
    const spaces = ' '.repeat(200_000);
    const docs = `    Args:\n        b (int${spaces}x, optional): The second\n        a${spaces}x\n    :param${spaces}a x\n    :param ${'b '.repeat(50_000)}\n    :param int c : The third`;
    const { inputSchema } = await only('look.py', `def run(b, c):\n    \"\"\"Looks up.\n\n${docs}\n    \"\"\"\n`);
    const { properties } = inputSchema;
    assert.ok(typeof properties === 'object' && properties !== null && 'c' in properties);
    assert.deepEqual(properties.c, { type: 'integer', description: 'The third' });
  });

  it('reads many at once, and keeps nothing in memory', async () => {
    let loaded = 0;
    const describe = scriptDescriber(() => {
      loaded++;
      return Promise.resolve(nodeSyntaxTrees(scriptPrograms.grammars));
    });
    for (let round = 0; round < 3; round++) {
      const all = Array.from({ length: 100 }, (_, at) => ({
        path: `/tools/t${at}.py`,
        text: python(`x: int = ${at}`),
      }));
      const found = await Promise.all(all.map((one) => describe({ ...one, language: 'python' }, 'tool')));
      assert.equal(found.flatMap(({ functions }) => functions).length, 100);
      await collectGarbage();
    }
    assert.equal(loaded, 1);
  });

  it('does not loop on mutually recursive types', async () => {
    const classes = Array.from(
      { length: 40 },
      (_, at) =>
        `class C${at}(TypedDict):\n${Array.from({ length: 40 }, (_2, other) => `    f${other}: C${other}`).join('\n')}\n`,
    ).join('');
    const { functions, problems } = await described('look.py', python('x: C0', classes));
    assert.equal(functions.length + problems.length, 1);
    const deep = `${'list['.repeat(5000)}int${']'.repeat(5000)}`;
    assert.equal((await described('look.py', python(`x: ${deep}`))).functions.length, 1);
    const value = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assert.equal((await described('look.py', python(`x: list = ${value}`))).functions.length, 1);
  });
});

describe('Script descriptions', () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
  const file = { path: '/tools/look.py', language: 'python', text: python('x: int = 1') } as const;

  it('are cached, so that nothing is read again until the script changes', async () => {
    const folder = await temporaryFolder();
    try {
      let asked = 0;
      const describeAgain = keptDescriptions(
        (...given) => {
          asked++;
          return describeScript(...given);
        },
        join(folder.path, 'kept'),
        ports,
      );
      const first = await describeAgain(file, 'tool');
      assert.deepEqual(await describeAgain(file, 'tool'), first);
      assert.equal(asked, 1);
      assert.equal((await describeAgain({ ...file, path: '/tools/other.py' }, 'tool')).functions[0]?.name, 'other');
      await describeAgain({ ...file, text: python('x: str') }, 'tool');
      assert.equal(asked, 3);
      for (const name of await readdir(join(folder.path, 'kept'))) {
        await writeFile(join(folder.path, 'kept', name), '{"functions": 1}');
      }
      assert.deepEqual(await describeAgain(file, 'tool'), first, 'what is broken is made anew');
    } finally {
      await folder.remove();
    }
  });

  it('are made each time where they cannot be saved, and the log says why', async () => {
    const folder = await temporaryFolder();
    try {
      await folder.write({ kept: 'a file' });
      const warnings: string[] = [];
      const warn = (message: string) => void warnings.push(message);
      const place = join(folder.path, 'kept');
      const describeAgain = keptDescriptions(describeScript, place, { ...ports, log: { ...log, warn } });
      assert.deepEqual(await describeAgain(file, 'tool'), await describeScript(file, 'tool'));
      assert.match(warnings.join('\n'), /The description of \/tools\/look\.py could not be saved: /);
    } finally {
      await folder.remove();
    }
  });

  it('are removed when old, with the next one that is written', async () => {
    const folder = await temporaryFolder();
    try {
      const kept = join(folder.path, 'kept');
      await keptDescriptions(describeScript, kept, ports)(file, 'tool');
      const [old = ''] = await readdir(kept);
      const then = new Date(Date.now() - 100 * 24 * 3_600_000);
      await utimes(join(kept, old), then, then);
      await folder.write({ 'kept/note.txt': 'not ours' });
      await utimes(join(kept, 'note.txt'), then, then);
      const later = keptDescriptions(describeScript, kept, ports);
      await later(file, 'tool');
      assert.ok((await readdir(kept)).includes(old), 'reading takes nothing away');
      await later({ ...file, text: python('y: str') }, 'tool');
      const names = await readdir(kept);
      assert.deepEqual([names.length, names.includes(old), names.includes('note.txt')], [2, false, true]);
    } finally {
      await folder.remove();
    }
  });
});
