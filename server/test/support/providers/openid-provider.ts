import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from '../app/server-process.ts'

export interface ProviderAccount {
  sub: string
  email: string
  email_verified: unknown
  name: string
  groups?: string[]
  /** The age of the first sign-in. */
  signedInSecondsAgo?: number | undefined
}

export const CLIENT_ID = 'sortie'
export const CLIENT_SECRET = 'the secret of the client at the provider'

/**
 * A certified OpenID provider on a loopback port, whose sign-in page asks only for the subject. Browsers and plain HTTP
 * clients can use it.
 */
export class OpenIdProvider {
  readonly accounts = new Map<string, ProviderAccount>()
  readonly #server: Server
  readonly #redirectUris: string[]
  readonly #saysWhen: boolean
  #provider: Provider | undefined
  #port = 0

  /**
   * @param frontends addresses of the web interfaces that may redirect here
   * @param saysWhen true if it reports the time of a sign-in
   */
  constructor(frontends: readonly string[], saysWhen = true) {
    this.#saysWhen = saysWhen
    this.#redirectUris = [...frontends]
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Settings of a server that uses this provider. */
  get settings(): Record<string, string> {
    return {
      AUTH_PROVIDER: 'oidc',
      AUTH_PROVIDER_NAME: 'Test Directory',
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    }
  }

  add(account: Partial<ProviderAccount> & { sub: string }): ProviderAccount {
    const whole = {
      email: `${account.sub}@example.com`,
      email_verified: true,
      name: `Person ${account.sub}`,
      ...account,
    }
    this.accounts.set(whole.sub, whole)
    return whole
  }

  /** Adds a web interface that the provider was made without. */
  allow(frontend: string): void {
    this.#redirectUris.push(frontend)
    this.#provider = undefined
  }

  async up(): Promise<void> {
    this.#port ||= await freePort()
    await new Promise<void>((resolve) => {
      this.#server.listen(this.#port, '127.0.0.1', resolve)
    })
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#provider ??= this.#open()
    const uid = /^\/interaction\/([\w-]+)/.exec(request.url ?? '')?.[1]
    if (uid === undefined) return this.#provider.callback()(request, response)
    if (request.method === 'POST') return this.#signIn(this.#provider, request, response)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(SIGN_IN_PAGE.replace('UID', uid))
  }

  /** Signs in, and agrees to the client's request. */
  async #signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const { params } = await provider.interactionDetails(request, response)
    const accountId = form.get('subject') ?? ''
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const account = this.accounts.get(accountId)
    const ts = Math.floor(Date.now() / 1000) - (account?.signedInSecondsAgo ?? 0)
    if (account) account.signedInSecondsAgo = undefined
    const result = form.has('refuse')
      ? { error: 'access_denied' }
      : { login: { accountId, remember: true, ts }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  #open(): Provider {
    const provider = this.#create()
    if (!this.#saysWhen) {
      provider.use(async ({ path, response }, next) => {
        await next()
        if (path === '/.well-known/openid-configuration')
          response.body = { ...response.body, claims_supported: ['sub', 'email', 'email_verified', 'name'] }
      })
    }
    return provider
  }

  #create(): Provider {
    return new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: this.#redirectUris.map((frontend) => `${frontend}/sign-in/callback`),
          post_logout_redirect_uris: this.#redirectUris.map((frontend) => `${frontend}/sign-in`),
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: false },
        // Its own page loads a font from another site, which tests must not do.
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, form: string) => {
            context.body = `<!doctype html><html lang="en"><title>Test Directory</title>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></html>`
          },
        },
      },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the test provider'] },
      interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
      findAccount: (_context: unknown, sub: string) => {
        const account = this.accounts.get(sub)
        return account && { accountId: sub, claims: () => ({ ...account }) }
      },
    })
  }
}

const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Test Directory</title><h1>Test Directory</h1>
<form method="post" action="/interaction/UID"><label>Subject <input name="subject"></label>
<button>Sign in there</button><button name="refuse" value="true">Refuse</button></form></html>`
