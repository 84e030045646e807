export { addProblems } from './addProblems';
export { explain } from './explain';
export { fix } from './fix';
