import { addressRanges, corsOrigins, hostNames, integer, moment, origin, secret, text } from './config-values.ts'
import type { Variable } from './variable.ts'

/** Settings of the HTTP server: addresses, hosts, origins, metrics, and the API's lifetime. */
export const HTTP_VARIABLES = {
  PORT: { doc: 'Port that the server listens on.', fallback: '3001', parse: integer(0, 65_535) },
  HOST: {
    doc: 'Address that the server listens on: `localhost` for both loopback addresses, `0.0.0.0` for all.',
    fallback: 'localhost',
    parse: text,
  },
  FRONTEND_URL: {
    doc: 'Public address of the web interface: links in emails start with it, and browsers may send changes from it.',
    fallback: (read) => `http://localhost:${read('PORT') ?? '3001'}`,
    parse: origin,
  },
  ALLOWED_HOSTS: {
    doc: 'More host names and addresses, separated by commas, at which this server accepts requests; see [Host names](operating/access/proxy.md#host-names).',
    parse: hostNames,
  },
  TRUST_PROXY: {
    doc: 'Addresses or ranges of proxies whose `X-Forwarded-For`, `X-Request-Id` and `traceparent` are trusted, separated by commas.',
    parse: addressRanges,
  },
  CORS_ORIGINS: {
    doc: 'Origins whose pages may call `/api/v1` from a browser, separated by commas, or `*` for all; if unset, none.',
    parse: corsOrigins,
  },
  METRICS_TOKEN: {
    doc: 'Bearer token for `/metrics` on `PORT`; without it, metrics are not served there. See [Metrics](operating/monitoring.md#opening-the-metrics).',
    secret: true,
    parse: secret,
  },
  METRICS_PORT: {
    doc: 'Port of 127.0.0.1 on which `/metrics` is served to this machine, with `METRICS_TOKEN` if that is set; if unset, on no port. Each process needs its own.',
    parse: integer(1, 65_535),
  },
  API_V1_DEPRECATED_AT: {
    doc: 'Time from which `/api/v1` is deprecated; every response then has the `Deprecation` header (RFC 9745).',
    parse: moment,
  },
  API_V1_SUNSET_AT: {
    doc: 'Time at which `/api/v1` ends, at least 12 months after its deprecation; responses then have the `Sunset` header (RFC 8594).',
    parse: moment,
  },
} as const satisfies Record<string, Variable<unknown>>
