/** The clients on the vendors' SDKs, which are a part of the bundle that only a request loads. */
export const sdkClients = () => import('../sdk/sdkClients');
