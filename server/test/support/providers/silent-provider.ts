import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenID provider that accepts requests and may leave them unanswered. */
export interface SilentProvider {
  settings: Record<string, string>
  /** True if it answers for its discovery document. Its other addresses never do. */
  isAnswering: boolean
  /** Requests that wait for an answer. */
  waiting(): number
  /** Number of requests that it received. */
  asked(): number
  /** Disconnects every waiting request. */
  release(): void
  down(): Promise<void>
}

export const startSilentProvider = async (): Promise<SilentProvider> => {
  const waiting = new Set<ServerResponse>()
  let asked = 0
  let issuer = ''
  const server: Server = createServer((request, response) => {
    asked += 1
    if (provider.isAnswering && request.url === '/.well-known/openid-configuration') {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      )
      return
    }
    waiting.add(response)
    response.on('close', () => waiting.delete(response))
  })
  const release = () => {
    for (const response of waiting) response.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: SilentProvider = {
    settings: {
      AUTH_PROVIDER: 'oidc',
      AUTH_PROVIDER_NAME: 'Silent Directory',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'sortie',
      OIDC_CLIENT_SECRET: 'a secret',
    },
    isAnswering: false,
    waiting: () => waiting.size,
    asked: () => asked,
    release,
    down: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
