import { type BuiltIn, itemsOf } from './built-in.ts'

const CLOUD = ['cloud'] as const

/** Our own checklist for cloud accounts, subscriptions and projects. */
export const cloud: BuiltIn = {
  slug: 'cloud1',
  name: 'Cloud configuration',
  version: '1',
  description: 'A short checklist for a review of accounts, subscriptions or projects of a cloud provider. A target is one of them.',
  items: [
    ...itemsOf('CLD-PRE', 'Preparation', [
      ['Read what the provider allows', 'Rules of the provider for penetration tests, and the contract of the client.', []],
      ['List accounts, regions and owners', 'Also forgotten regions, sandboxes and accounts of suppliers.', []],
    ]),
    ...itemsOf('CLD-IAM', 'Identities', [
      ['Review who is an administrator', 'People, roles, service accounts, suppliers. Are all of them needed?', CLOUD],
      ['Check second factors and the root account', 'Hardware factor for the root account, no keys of it, mailbox under control.', CLOUD],
      ['Look for paths to more rights', 'Roles that can change roles, pass roles or run code as another identity.', CLOUD],
      ['Check the age and use of keys', 'Long-lived keys, keys in code, in images and in build systems.', CLOUD],
      ['Review trust between accounts', 'Roles that strangers can assume, missing conditions, identity federation.', CLOUD],
    ]),
    ...itemsOf('CLD-DAT', 'Data', [
      ['Look for storage that is open to everybody', 'Buckets, snapshots, images, backups, registries.', CLOUD],
      ['Check encryption and who holds the keys', 'At rest, in transit, and the rights to the keys.', CLOUD],
      ['Check backups', 'Are they there, out of reach of the same administrator, and tried?', CLOUD],
      ['Look for secrets in the wrong place', 'Environment variables, user data, templates, logs.', CLOUD],
    ]),
    ...itemsOf('CLD-NET', 'Network and computing', [
      ['Review what the internet can reach', 'Security groups, public addresses, load balancers, functions.', CLOUD],
      ['Check the metadata service', 'Only its newer, guarded form; no way to it through applications.', CLOUD],
      ['Review clusters and functions', 'Rights of workloads, open dashboards, old run times.', CLOUD],
    ]),
    ...itemsOf('CLD-LOG', 'Detection', [
      ['Check that logs are written and kept', 'All regions, out of reach of those whom they watch.', CLOUD],
      ['Check that somebody is alarmed', 'Cause a few agreed events, and see who notices.', CLOUD],
    ]),
  ],
}
