/** Every field that any version of httpx writes with `-json` (`runner/types.go`); version 1.1 uses hyphens. */
export const HTTPX_FIELDS = new Set(
  `a aaaa asn body body-mmh3 body-sha256 body_domains body_fqdn body_preview cdn cdn-name cdn_name cdn_type chain chain_status_codes
  chain-status-codes cname cnames content-length content-type content_length content_type cpe csp error extract_regex extracts failed favicon
  favicon-mmh3 favicon_md5 favicon_path favicon_url final_url final-url hash hashes header header-mmh3 header-sha256 headless_body host host_ip http2
  input jarm jarm_hash jarm-hash knowledgebase lines link_request location method path pipeline port raw_header request resolvers response
  response-body response-time scheme screenshot_bytes screenshot_path screenshot_path_rel sni status-code status_code stored_response_path strings tech
  technologies time timestamp title tls tls-grab tls_impersonate trace url vhost webserver websocket words wordpress`.split(
    /\s+/,
  ),
)

/** Other tools also write a url and a status. Most fields of a row must therefore be fields of httpx. */
export const isRowOfHttpx = (keys: ReadonlySet<string>): boolean => {
  if (!keys.has('url') || !['status_code', 'status-code', 'failed'].some((key) => keys.has(key))) return false
  const own = [...keys].filter((key) => !key.includes('.'))
  const known = own.filter((key) => HTTPX_FIELDS.has(key))
  return own.length - known.length <= known.length / 4
}
