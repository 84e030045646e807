/** What is used of the MCP client, as a file of its own: it is loaded with the first server. */
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
