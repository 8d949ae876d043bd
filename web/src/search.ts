import { ENGAGEMENT_SORTS, ENGAGEMENT_STATUSES } from '@sortie/contract/engagements.ts'
import { INVITATION_STATUSES, MAIL_STATUSES } from '@sortie/contract/invitations.ts'
import { ROLES, SCOPE_NAMES, type Scope } from '@sortie/contract/scopes.ts'

/** What the address bar says after the question mark. Anything else than the known values counts as not said. */
type Raw = Record<string, unknown>

const word = <W extends string>(words: readonly W[], value: unknown): W | undefined => words.find((candidate) => candidate === value)
const text = (value: unknown): string | undefined => (typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined)
const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)
const page = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 1 && Number(value) < 1e7 ? Number(value) : undefined)

/** Leaves out what was not said, so that it does not show in the address. */
const said = <T extends Raw>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

export const signIn = (raw: Raw) => said({ next: typeof raw.next === 'string' && raw.next.length < 2_000 ? raw.next : undefined })

export const engagements = (raw: Raw) =>
  said({
    status: word(ENGAGEMENT_STATUSES, raw.status),
    sort: word(ENGAGEMENT_SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    page: page(raw.page),
    create: flag(raw.create),
  })

export const members = (raw: Raw) => said({ role: word(ROLES, raw.role), page: page(raw.page), invite: flag(raw.invite) })

export const domains = (raw: Raw) => said({ claim: flag(raw.claim) })

export const invitations = (raw: Raw) => said({ status: word([...INVITATION_STATUSES, 'all'] as const, raw.status) })

const isScope = (value: unknown): value is Scope => SCOPE_NAMES.some((scope) => scope === value)

export const apiKeys = (raw: Raw) =>
  said({
    create: flag(raw.create),
    /** Scopes and name that a successor starts from. */
    scopes: Array.isArray(raw.scopes) ? raw.scopes.filter(isScope) : undefined,
    name: text(raw.name),
    environment: word(['live', 'test'] as const, raw.environment),
  })

const day = (value: unknown) => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined)

export const audit = (raw: Raw) =>
  said({ action: text(raw.action), actorId: text(raw.actorId), objectId: text(raw.objectId), from: day(raw.from), to: day(raw.to) })

export const found = (raw: Raw) => said({ search: text(raw.search), page: page(raw.page) })

export const mails = (raw: Raw) => said({ status: word(MAIL_STATUSES, raw.status) })

/** The same list at another page. The first one is what an address without a page means. */
export const atPage = <S extends { page?: number }>({ page: _, ...rest }: S, page: number) => ({ ...rest, ...(page > 1 && { page }) })
