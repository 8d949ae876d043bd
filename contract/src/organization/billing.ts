import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'

export const BILLING_OUTCOMES = ['applied', 'superseded', 'not-used', 'unreadable'] as const

const CustomerId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,100}$',
  maxLength: 100,
  description: "the payment provider's id of the customer",
  examples: ['cus_QXg1o2F3h4J5k6'],
})

export const BillingEvent = closedObject({
  id: Type.String({ description: "the provider's id of the event" }),
  type: Type.String({ examples: ['customer.subscription.updated'] }),
  eventAt: NullableTimestamp("when it happened, by the provider's clock"),
  receivedAt: Timestamp(),
  outcome: OneOf(BILLING_OUTCOMES, {
    description: '`superseded`: a later event was already known; `not-used`: of a kind that changes nothing here',
  }),
})

export const Billing = closedObject({
  provider: OneOf(['off', 'stripe']),
  plan: Type.String(),
  customerId: NullableString('customer that pays for the organization; null while none is linked'),
  subscription: Type.Unsafe<{
    id: string
    status: string
    name: string | null
    periodEnd: string | null
    cancelsAtPeriodEnd: boolean
  } | null>({
    ...closedObject({
      id: Type.String(),
      status: Type.String({ description: "the provider's name for it", examples: ['active'] }),
      name: NullableString('name of the product; null while it is not known'),
      periodEnd: NullableTimestamp('end of the period that is paid for'),
      cancelsAtPeriodEnd: Type.Boolean(),
    }),
    type: ['object', 'null'],
    description: 'the subscription that decides the plan, or else the newest; null for none',
  }),
  events: Type.Array(BillingEvent, { description: 'the latest 20; kept for 30 days' }),
})

export const getBilling = endpoint({
  id: 'getBilling',
  method: 'GET',
  path: '/billing',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Read plan and subscription of the organization, and the latest events of the payment provider.',
  reply: one(Billing),
})

export const BillingCustomer = closedObject({
  organizationId: Id('org'),
  organizationName: Type.String(),
  customerId: CustomerId,
  linkedAt: Timestamp(),
})

export const listBillingCustomers = endpoint({
  id: 'listBillingCustomers',
  method: 'GET',
  path: '/instance/billing/customers',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List which customer of the payment provider pays for which organization.',
  query: closedObject(CursorQuery),
  reply: cursorPage(BillingCustomer),
})

export const listUnknownBillingCustomers = endpoint({
  id: 'listUnknownBillingCustomers',
  method: 'GET',
  path: '/instance/billing/unknown-customers',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List customers that events came for in the last 30 days and that no organization is linked to.',
  query: closedObject(CursorQuery),
  reply: cursorPage(
    closedObject({ customerId: Type.String(), events: Type.Integer({ minimum: 1 }), lastReceivedAt: Timestamp() }),
  ),
})

const organizationParams = closedObject({ organizationId: Id('org') })

export const linkBillingCustomer = endpoint({
  id: 'linkBillingCustomer',
  method: 'PUT',
  path: '/instance/organizations/:organizationId/billing-customer',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Link a customer to an organization; its earlier events are applied now.',
  description: 'Replaces another customer of the same organization. A customer of another organization: 409.',
  params: organizationParams,
  body: closedObject({ customerId: CustomerId }),
  reply: one(BillingCustomer),
})

export const unlinkBillingCustomer = endpoint({
  id: 'unlinkBillingCustomer',
  method: 'DELETE',
  path: '/instance/organizations/:organizationId/billing-customer',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'Unlink the customer of an organization; a plan from its subscription ends.',
  params: organizationParams,
  reply: one(closedObject({ unlinked: Type.Boolean(), organizationId: Id('org') })),
})
