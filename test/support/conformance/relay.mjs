// What the conformance suite starts as a client: has the test, which listens at the socket, visit the server for it. A client of its
// own for each scenario would load the library of the protocol each time.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const [socket, address] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const connection = connect(socket);
connection.end(JSON.stringify({ address, scenario, context: JSON.parse(context) }));
const failure = await text(connection);
process.stderr.write(failure);
process.exitCode = failure === '' ? 0 : 1;
