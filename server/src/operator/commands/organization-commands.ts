import { linkCustomer, unlinkCustomer } from '../../features/billing/billing.service.ts'
import { createOrganizationWithOwner } from '../../features/instance/instance.service.ts'
import { linkDirectory, unlinkDirectory } from '../../features/organizations/directory/links.service.ts'
import type { ChangedBy } from '../../features/organizations/organization-change.service.ts'
import { findOrganizationBySlug } from '../../features/organizations/organizations.queries.ts'
import { switchSsoOff } from '../../features/organizations/organizations.service.ts'
import type { Writer } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { type Command, exactly, nameFrom, OPERATOR, print, UsageError } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

export const createOrganization: Command = async ({ operands }) => {
  const [name, ownerEmail] = exactly(operands, 2)
  await withPlatform(async (platform) => {
    const { organization, owner, ownerIsNew } = await createOrganizationWithOwner(platform, OPERATOR, {
      name: nameFrom(name),
      ownerEmail,
    })
    print(`${organization.name} (${organization.slug}) belongs to ${owner.email}.`)
    print(
      ownerIsNew
        ? 'An email with a link to choose a password is queued: the server sends it while it runs.'
        : 'The owner is notified by email.',
    )
  })
}

export const linkBillingCustomer: Command = async ({ operands }) => {
  const [slug, customerId] = exactly(operands, 2)
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(customerId)) throw new UsageError('a customer id looks like cus_QXg1o2F3h4J5k6')
  await withOrganization(slug, async (platform, by, name) => {
    await linkCustomer(platform, by, customerId)
    print(`${customerId} pays for ${name}.`)
  })
}

export const unlinkBillingCustomer: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withOrganization(slug, async (platform, by, name) => {
    await unlinkCustomer(platform, by)
    print(`No customer pays for ${name} any more.`)
  })
}

export const linkDirectoryTo: Command = async ({ operands }) => {
  const [slug, providerId] = exactly(operands, 2)
  await withOrganization(slug, async (platform, by, name) => {
    await linkDirectory(platform, by, providerId)
    print(`${name} is ${providerId}.`)
  })
}

export const unlinkDirectoryFrom: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withOrganization(slug, async (platform, by, name) => {
    await unlinkDirectory(platform, by)
    print(`WorkOS no longer manages the members of ${name}.`)
  })
}

export const switchOff: Command = async ({ operands }) => {
  const [slug] = exactly(operands, 1)
  await withOrganization(slug, async (platform, by, name) => {
    const wasOn = await switchSsoOff(platform, by)
    print(wasOn ? `Members can sign in to ${name} with a password again.` : `${name} does not require single sign-on.`)
  })
}

const withOrganization = (
  slug: string,
  work: (platform: Writer, by: ChangedBy, name: string) => Promise<void>,
): Promise<void> =>
  withPlatform(async (platform) => {
    const organization = await findOrganizationBySlug(platform.db, slug)
    if (!organization) throw notFound(`There is no organization ${slug}.`)
    await work(platform, { ...OPERATOR, organizationId: organization.id }, organization.name)
  })
