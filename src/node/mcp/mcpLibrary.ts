/** The parts of the MCP client SDK that Cairn uses, as a separate file that is loaded with the first server. */
export {
  auth,
  Client,
  discoverAuthorizationServerMetadata,
  extractWWWAuthenticateParams,
  isSpecType,
  OAuthError,
  OAuthErrorCode,
  ProtocolError,
  ReadBuffer,
  refreshAuthorization,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  serializeMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UriTemplate,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
export { default as spawn } from 'cross-spawn';
