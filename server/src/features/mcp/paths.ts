export const MCP_PATH = '/api/mcp'
/** Where clients learn how to get a key (RFC 9728, section 3.1). */
export const MCP_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
