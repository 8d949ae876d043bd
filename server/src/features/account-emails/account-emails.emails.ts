import type { Platform } from '../../platform/context.ts'
import type { MailContent } from '../../platform/mail/layout.ts'
import type { MailTemplate } from '../../platform/mail/template.ts'

/** Stored data of the e-mails; each template knows which fields it has. */
interface NoticeData {
  name: string
  at: string
  change: string
  device?: string
  address?: string
  role: string
  by: string
  to: string
  domain: string
  autoJoin: string
  endpoint: string
  reason: string
  provider: string
  email: string
  organization: { name: string; slug: string }
  lines: string[]
}

const MAX_LINES = 40

type Notice = Pick<MailContent, 'subject' | 'paragraphs'>

const template = (
  kind: string,
  write: (data: NoticeData, platform: Platform) => Omit<MailContent, 'footer'> & { footer: string },
): MailTemplate => ({
  kind,
  render: async (platform, mail) => {
    const data = mail.data as NoticeData
    const { paragraphs, footer, ...content } = write(data, platform)
    const greeted = [`Hello ${data.name},`, ...paragraphs]
    return { ...content, paragraphs: greeted, footer: [footer, `Sent by Sortie at ${platform.config.FRONTEND_URL}`] }
  },
})

const SECURITY_FOOTER = 'Emails about the security of your account are always sent.'
const optionalFooter = ({ config }: Platform) =>
  `You can turn off emails like this one in your account: ${config.FRONTEND_URL}/account/notifications`

/** About the security of an account. */
const aboutAccount = (kind: string, write: (data: NoticeData) => Notice): MailTemplate =>
  template(kind, (data, { config }) => ({
    ...write(data),
    action: { label: 'Review your account', url: `${config.FRONTEND_URL}/account/sessions` },
    footer: SECURITY_FOOTER,
  }))

/** From the operator, about what no longer exists or has moved: without a link. */
const plain = (kind: string, write: (data: NoticeData) => Notice): MailTemplate =>
  template(kind, (data) => ({ ...write(data), footer: SECURITY_FOOTER }))

/** About an organization; can be switched off. */
const aboutOrganization = (kind: string, write: (data: NoticeData) => Notice): MailTemplate =>
  template(kind, (data, platform) => ({
    ...write(data),
    action: organizationAction(data, platform),
    footer: optionalFooter(platform),
  }))

/** `Firefox on Linux, from 192.0.2.7, on 2026-11-21 at 08:30 UTC` */
const where = ({ device, address, at }: NoticeData) =>
  [device, address && `from ${address}`, `on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`].filter(Boolean).join(', ')

const PASSWORD_TEXTS: Record<string, string> = {
  changed: 'The password of your account was changed.',
  'reset by mail': 'Your account has a new password, set through a link that we sent to this address.',
  'reset by the operator':
    'The operator of this server has set a new password for your account. Ask the operator for it, and change it after you sign in.',
}

const SECOND_FACTOR_TEXTS: Record<string, string> = {
  enabled:
    'From now on, signing in to your account needs a code from your authenticator app in addition to your password. Store the recovery codes where you can find them without your phone.',
  removed: 'Your account no longer has a second factor: only the password protects it.',
  'app removed':
    'The authenticator app of your account was removed: its codes no longer work. Your passkeys still work.',
  'passkey added': 'A passkey was added to your account. It can now be used as the second factor when signing in.',
  'passkey removed':
    'A passkey was removed from your account: it can no longer be used to sign in. Your other second factors still work.',
  'recovery codes renewed': 'Your account has ten new recovery codes. The old ones no longer work.',
  'recovery code used':
    "Someone signed in to your account with your password and one of your recovery codes. That code can't be used again.",
  'reset by an admin':
    'An administrator has removed the second factor of your account, including the recovery codes: only the password protects it now. Set up a new one as soon as you can.',
  'reset by the operator':
    'The operator of this server has removed the second factor of your account: only the password protects it now. Set up a new one as soon as you can.',
}

export const NOTICE_MAILS: readonly MailTemplate[] = [
  aboutAccount('password', (data) => ({
    subject: 'Your password was changed',
    paragraphs: [
      PASSWORD_TEXTS[data.change] ?? '',
      `It was ${where(data)}. Every other session of your account has ended.`,
      'If that was you, there is nothing to do. If it was not, request a new password on the sign-in page right away, and tell the operator of this server.',
    ],
  })),

  aboutAccount('second-factor', (data) => ({
    subject:
      data.change === 'recovery code used' ? 'A recovery code was used to sign in' : 'Your second factor was changed',
    paragraphs: [
      SECOND_FACTOR_TEXTS[data.change] ?? '',
      data.change === 'reset by an admin'
        ? `${data.by} did this ${where(data)}. Every session of your account has ended.`
        : `It was ${where(data)}.`,
      'If that was not you, change your password right away, end all other sessions, and tell the operator of this server.',
    ],
  })),

  aboutAccount('new-device', (data) => ({
    subject: `New sign-in: ${data.device}`,
    paragraphs: [
      `There was a sign-in to your account from a browser that we have not seen before: ${where(data)}.`,
      'If that was you, there is nothing to do. If it was not, someone knows your password: change it right away, which also ends that session.',
    ],
  })),

  aboutAccount('identity-linked', (data) => ({
    subject: `Your account is linked to ${data.provider}`,
    paragraphs: [
      `From now on, signing in to ${data.provider} as ${data.email} signs in to your account here. It was ${where(data)}. Every other session of your account has ended.`,
      'If that was not you, tell the operator of this server right away.',
    ],
  })),

  aboutOrganization('role-changed', (data) => ({
    subject: `You are now ${data.role === 'admin' ? 'an admin' : 'a member'} of ${data.organization.name}`,
    paragraphs: [
      data.role === 'admin'
        ? `${data.by} made you an admin of ${data.organization.name}. You can now invite and remove people, change roles and manage API keys.`
        : `${data.by} changed your role in ${data.organization.name} to member. You keep access to the organization's work; you can no longer manage people, settings and API keys.`,
    ],
  })),

  template('member-removed', (data, platform) => ({
    subject: `You are no longer a member of ${data.organization.name}`,
    paragraphs: [
      `${data.by} removed you from ${data.organization.name}. Your account and your other organizations are not affected. What you created there stays with the organization.`,
      'If you think that this was a mistake, ask an admin of the organization to invite you again.',
    ],
    footer: optionalFooter(platform),
  })),

  template('ownership-received', (data, platform) => ({
    subject: `You are now the owner of ${data.organization.name}`,
    paragraphs: [
      `${data.by} made you the owner of ${data.organization.name}. No one can remove you or change your role, and only you can transfer the ownership.`,
    ],
    action: organizationAction(data, platform),
    footer: SECURITY_FOOTER,
  })),

  aboutAccount('ownership-given', (data) => ({
    subject: `${data.to} is now the owner of ${data.organization.name}`,
    paragraphs: [
      data.by
        ? `${data.by} transferred ${data.organization.name} to ${data.to}. You are now an admin.`
        : `You transferred ${data.organization.name} to ${data.to}. You are now an admin.`,
      data.by
        ? 'If you did not expect this, ask the operator of this server.'
        : 'If you did not do this, someone else used your account: change your password right away, and tell the new owner.',
    ],
  })),

  plain('address-gone', () => ({
    subject: 'Your account has another address now',
    paragraphs: [
      'The operator of this server changed the email address of your account. You no longer sign in with this address, and no more emails about your account come here. Every session of your account has ended.',
      'If you did not expect this, ask the operator of this server.',
    ],
  })),

  plain('address-new', (data) => ({
    subject: 'This is the address of your account now',
    paragraphs: [
      `The operator of this server changed the email address of your account from ${data.email} to ${data.to}. Sign in with the new address; your password and your second factor stay as they are. Every session of your account has ended.`,
      'If you have no account here, ask the operator of this server.',
    ],
  })),

  plain('account-deleted', () => ({
    subject: 'Your account was deleted',
    paragraphs: [
      'The operator of this server deleted your account. You can no longer sign in. What you wrote stays with the organizations, without your name.',
      'If you think that this was a mistake, ask the operator of this server.',
    ],
  })),

  plain('organization-removed', (data) => ({
    subject: `${data.organization.name} was removed`,
    paragraphs: [
      `The operator of this server removed ${data.organization.name} with everything in it. Your account and your other organizations are not affected.`,
      'If you think that this was a mistake, ask the operator of this server at once: only a backup has it now.',
    ],
  })),

  template('domain-lost', (data, platform) => ({
    subject: `${data.organization.name} no longer verifies ${data.domain}`,
    paragraphs: [
      `The DNS record that verified ${data.domain} for ${data.organization.name} is gone, or its name servers have not answered for 90 days. No one can join with an address at ${data.domain} any more. Existing members stay.`,
      ...(data.autoJoin === 'switched off'
        ? ['It was the last verified domain, so joining by domain is now off.']
        : []),
      'If the record was removed by mistake, restore it, check the domain again, and turn joining by domain back on.',
    ],
    action: {
      label: 'Open the domains',
      url: `${platform.config.FRONTEND_URL}/o/${data.organization.slug}/settings/domains`,
    },
    footer: 'Emails about how people join your organization are always sent.',
  })),

  template('webhook-disabled', (data, platform) => ({
    subject: `The webhook ${data.endpoint} is disabled`,
    paragraphs: [
      `Sortie no longer sends events of ${data.organization.name} to the webhook ${data.endpoint}. ${data.reason}`,
      'Events that waited for it were dropped. Once the receiver works, enable the webhook again.',
    ],
    action: {
      label: 'Open the webhooks',
      url: `${platform.config.FRONTEND_URL}/o/${data.organization.slug}/settings/webhooks`,
    },
    footer: 'Emails about webhooks that were disabled are always sent.',
  })),

  aboutOrganization('api-keys-changed', (data) => ({
    subject: `API keys of ${data.organization.name}`,
    paragraphs: [
      ...linesOf(data),
      'If you did not expect this, see the audit log: it records who did it, and from where.',
    ],
  })),

  aboutOrganization('invitations-accepted', (data) => ({
    subject:
      data.lines.length === 1
        ? `A new member in ${data.organization.name}`
        : `${data.lines.length} new members in ${data.organization.name}`,
    paragraphs: linesOf(data),
  })),
]

const organizationAction = ({ organization }: NoticeData, { config }: Platform) => ({
  label: `Open ${organization.name}`,
  url: `${config.FRONTEND_URL}/o/${organization.slug}`,
})

const linesOf = ({ lines }: NoticeData): string[] => {
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), `And ${more} more.`] : lines
}
