import {
  choice,
  email,
  engagementScope,
  line,
  password,
  providerUrl,
  roleMap,
  signingSecrets,
  WORKOS_API_URL,
  workosUrl,
  yesOrNo,
} from './config-values.ts'
import type { Variable } from './variable.ts'

export const DEFAULT_ADMIN_EMAIL = 'admin@example.com'

/** Settings of signing in, of the first start, and of the scopes that engagements need. */
export const AUTH_VARIABLES = {
  AUTH_PROVIDER: {
    doc: 'How people sign in: `local` is email and password, `oidc` any OpenID Connect provider, `workos` WorkOS AuthKit.',
    fallback: 'local',
    parse: choice('local', 'oidc', 'workos'),
  },
  AUTH_LOCAL_FALLBACK: {
    doc: 'With `oidc` or `workos`: `true` lets instance administrators, and no one else, sign in with a password too.',
    fallback: 'false',
    parse: yesOrNo,
  },
  AUTH_PROVIDER_NAME: { doc: 'Name of the provider on the sign-in button.', parse: line(40) },
  OIDC_ISSUER: { doc: 'Issuer of the OpenID provider, where its discovery document is found.', parse: providerUrl },
  OIDC_CLIENT_ID: { doc: 'Client id at the OpenID provider.', parse: line(500) },
  OIDC_CLIENT_SECRET: { doc: 'Client secret at the OpenID provider.', secret: true, parse: line(1_000) },
  OIDC_SCOPE: { doc: 'Scopes requested from the OpenID provider.', fallback: 'openid email profile', parse: line(500) },
  OIDC_EMAIL_VERIFIED_CLAIM: {
    doc: 'Claim that must be `true` for the address to count as verified; Entra calls it `xms_edov`.',
    fallback: 'email_verified',
    parse: line(100),
  },
  OIDC_ROLE_CLAIM: {
    doc: 'Claim of the id token that `OIDC_ROLE_MAP` reads, such as `groups`; unset, claims give no roles.',
    parse: line(200),
  },
  OIDC_ROLE_MAP: {
    doc: 'Roles for values of that claim: `value=organization-slug:role`, separated by commas. It decides the roles in the organizations that it names.',
    parse: roleMap,
  },
  WORKOS_API_KEY: { doc: 'API key of the WorkOS environment.', secret: true, parse: line(500) },
  WORKOS_CLIENT_ID: { doc: 'Client id of the WorkOS environment.', parse: line(500) },
  WORKOS_WEBHOOK_SECRET: {
    doc: 'Signing secret of the WorkOS webhook; two separated by a comma during rotation.',
    secret: true,
    parse: signingSecrets,
  },
  WORKOS_API_URL: {
    doc: 'Address of the WorkOS API; anything but the public one is refused outside loopback.',
    fallback: WORKOS_API_URL,
    parse: workosUrl,
  },
  ADMIN_EMAIL: { doc: 'Email of the account created on first start.', fallback: DEFAULT_ADMIN_EMAIL, parse: email },
  ADMIN_PASSWORD: {
    doc: 'Password of the account created on first start. Without one, or with one that is easy to guess, the first start ends with exit code 78; the first `npm start` generates one. See [The first start](#the-first-start).',
    secret: true,
    parse: password,
  },
  ORGANIZATION_NAME: {
    doc: 'Name of the organization created on first start.',
    fallback: 'My organization',
    parse: line(200),
  },
  DEFAULT_PLAN: { doc: 'Plan of a new organization.', fallback: 'free', parse: line(100) },
  ENGAGEMENT_READ_SCOPE: {
    doc: 'Scope required to read engagements: a scope of API keys, or `*` for any valid key.',
    fallback: 'organizations:read',
    parse: engagementScope,
  },
  ENGAGEMENT_WRITE_SCOPE: {
    doc: 'Scope required to create and change engagements: a scope of API keys, or `*` for any valid key.',
    fallback: 'organizations:write',
    parse: engagementScope,
  },
} as const satisfies Record<string, Variable<unknown>>
