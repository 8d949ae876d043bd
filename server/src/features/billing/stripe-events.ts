import { isoTime } from '../../platform/clock.ts'
import { badRequest } from '../../platform/errors.ts'
import { isSingleLine, isStorable, maxRawUnits, normalizeLine } from '../../platform/text/text.ts'

/** State of a subscription according to one event. */
export interface SubscriptionState {
  id: string
  status: string
  productId: string | null
  /** Name of the product, if the event contains it; Stripe's own notifications do not. */
  productName: string | null
  priceName: string | null
  startedAt: string | null
  periodEnd: string | null
  cancelsAtPeriodEnd: boolean
  /** Order of events within one second: created, all others, deleted. */
  rank: number
}

/** A change that an event makes here. */
type BillingChange =
  | { kind: 'subscription'; subscription: SubscriptionState }
  | { kind: 'product'; id: string; name: string }

/** The stored part of an event. */
export interface BillingEvent {
  id: string
  type: string
  customerId: string | null
  eventAt: string | null
  /** Null: a type without an effect. `unreadable`: a type with an effect, in an unknown format. */
  change: BillingChange | { kind: 'unreadable' } | null
}

/** Stripe's statuses for a subscription that is paid, or that Stripe still tries to collect for. */
const IN_FORCE = new Set(['active', 'trialing', 'past_due'])

export const isInForce = (status: string): boolean => IN_FORCE.has(status)

const TOKEN = /^[A-Za-z0-9_-]{1,255}$/
const MAX_NAME_LENGTH = 250
const MAX_UNIX_SECONDS = 253_402_300_799

/**
 * Parses a verified notification. Only its id is required: the rest differs between types and versions of the
 * provider's API, and events without an effect are stored, too.
 *
 * @throws ApiError BAD_REQUEST
 */
export const readStripeEvent = (text: string): BillingEvent => {
  const event = parse(text)
  const id = token(event.id)
  if (!id) throw badRequest('id: the event has none.')
  const type = line(event.type) ?? ''
  const object = fields(fields(event.data).object)
  const eventAt = time(event.created)
  return { id, type, eventAt, customerId: customerOf(type, object), change: changeOf(type, eventAt, object) }
}

const parse = (text: string): Fields => {
  try {
    return fields(JSON.parse(text))
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

const customerOf = (type: string, object: Fields): string | null =>
  idOf(object.customer) ?? (object.object === 'customer' && type.startsWith('customer.') ? token(object.id) : null)

const changeOf = (type: string, eventAt: string | null, object: Fields): BillingEvent['change'] => {
  if (type.startsWith('customer.subscription.')) {
    const subscription = readSubscription(type, object)
    return subscription && eventAt && idOf(object.customer)
      ? { kind: 'subscription', subscription }
      : { kind: 'unreadable' }
  }
  if (type === 'product.created' || type === 'product.updated') {
    const id = token(object.id)
    const name = line(object.name)
    return id && name && eventAt ? { kind: 'product', id, name } : { kind: 'unreadable' }
  }
  return null
}

const readSubscription = (type: string, object: Fields): SubscriptionState | undefined => {
  const id = token(object.id)
  const status = token(object.status)
  if (!id || !status) return undefined
  const { data } = fields(object.items)
  const item = fields(Array.isArray(data) ? data[0] : undefined)
  const price = fields(item.price ?? item.plan ?? object.plan)
  return {
    id,
    status,
    productId: idOf(price.product),
    productName: line(fields(price.product).name),
    priceName: line(price.nickname),
    startedAt: time(object.start_date) ?? time(object.created),
    // On the subscription until 2025, on its items since.
    periodEnd: time(object.current_period_end) ?? time(item.current_period_end),
    cancelsAtPeriodEnd: object.cancel_at_period_end === true,
    rank: type.endsWith('.created') ? 0 : type.endsWith('.deleted') ? 2 : 1,
  }
}

type Fields = Record<string, unknown>

/** The value if it is an object, else one without fields. */
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const token = (value: unknown): string | null => (typeof value === 'string' && TOKEN.test(value) ? value : null)

/** A reference is an id or, if expanded, the object itself. */
const idOf = (value: unknown): string | null => token(value) ?? token(fields(value).id)

/** The first 250 characters of a text, if it is a valid display line. */
const line = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const start = normalizeLine(value.slice(0, maxRawUnits(MAX_NAME_LENGTH)), MAX_NAME_LENGTH) ?? ''
  const text = [...start].slice(0, MAX_NAME_LENGTH).join('').trim()
  return text !== '' && isStorable(text) && isSingleLine(text) ? text : null
}

const time = (value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_UNIX_SECONDS
    ? isoTime(value * 1000)
    : null
