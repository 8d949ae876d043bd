import { type BuiltIn, itemsOf } from './built-in.ts'

const CLOUD = ['cloud'] as const

/** Our own checklist for cloud accounts, subscriptions and projects. */
export const cloud: BuiltIn = {
  slug: 'cloud1',
  name: 'Cloud configuration',
  version: '1',
  description: 'A short checklist for a review of cloud accounts, subscriptions or projects. Each of them is a target.',
  items: [
    ...itemsOf('CLD-PRE', 'Preparation', [
      ['Check what the provider allows', "The provider's rules for penetration tests, and the client's contract.", []],
      ['List accounts, regions and owners', 'Include forgotten regions, sandboxes and accounts of suppliers.', []],
    ]),
    ...itemsOf('CLD-IAM', 'Identities', [
      ['Review administrators', 'People, roles, service accounts, suppliers. Is each one needed?', CLOUD],
      [
        'Check second factors and the root account',
        'Hardware factor for the root account, no access keys, mailbox under control.',
        CLOUD,
      ],
      [
        'Look for privilege escalation paths',
        'Roles that can change roles, pass roles or run code as another identity.',
        CLOUD,
      ],
      ['Check the age and use of keys', 'Long-lived keys, keys in code, in images and in build systems.', CLOUD],
      [
        'Review trust between accounts',
        'Roles that outsiders can assume, missing conditions, identity federation.',
        CLOUD,
      ],
    ]),
    ...itemsOf('CLD-DAT', 'Data', [
      ['Look for public storage', 'Buckets, snapshots, images, backups, registries.', CLOUD],
      ['Check encryption and key access', 'At rest, in transit, and permissions on the keys.', CLOUD],
      [
        'Check backups',
        'Do they exist, are they out of reach of the same administrator, and is restoring tested?',
        CLOUD,
      ],
      ['Look for exposed secrets', 'Environment variables, user data, templates, logs.', CLOUD],
    ]),
    ...itemsOf('CLD-NET', 'Network and computing', [
      ['Review internet exposure', 'Security groups, public addresses, load balancers, functions.', CLOUD],
      ['Check the metadata service', 'Only the newer, protected version; not reachable through applications.', CLOUD],
      ['Review clusters and functions', 'Permissions of workloads, open dashboards, old runtimes.', CLOUD],
    ]),
    ...itemsOf('CLD-LOG', 'Detection', [
      ['Check that logs are written and kept', 'In all regions, out of reach of the users that they record.', CLOUD],
      ['Check that alerts are raised', 'Trigger a few agreed events, and check who notices.', CLOUD],
    ]),
  ],
}
