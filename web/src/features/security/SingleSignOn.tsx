import { Stack, Switch, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { Section } from '../../ui/page/Page.tsx'
import type { Overview, Settings } from './settings.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

interface SingleSignOnProps {
  settings: Settings
  overview: Overview
  identity: Output<'getIdentity'>['data']
}

const TITLE = 'Single sign-on'
const LABEL = 'Require single sign-on'

export const SingleSignOn = ({ settings, overview, identity: { providerName, confirmsBy } }: SingleSignOnProps) => {
  const { name } = useOrganization()
  if (providerName === null) {
    return (
      <Section
        title={TITLE}
        description="Members can access this organization only through the identity provider of this server, and no longer with a password."
      >
        <Stack gap="sm">
          <Switch label={LABEL} checked={settings.ssoEnabled} disabled readOnly />
          <Text size="sm" c="dimmed">
            Not available: this server has no identity provider. The operator can set one up.
          </Text>
        </Stack>
      </Section>
    )
  }
  return (
    <SettingSwitch
      setting="ssoEnabled"
      settings={settings}
      title={TITLE}
      description={`Members can access this organization only through ${providerName}, and no longer with a password. API keys are not affected.`}
      label={LABEL}
      {...(confirmsBy === 'password' && {
        obstacle: (
          <Text size="sm">
            To switch this on, <TextLink to={paths.profile()}>link your account</TextLink> and sign in through{' '}
            {providerName} first: you would be locked out, too.
          </Text>
        ),
      })}
      on={{
        title: 'Require single sign-on of everyone?',
        text: (
          <Stack gap="xs">
            <Text size="sm">
              {name} then opens only through {providerName}. Sessions that started with a password lose access
              immediately, in every open window.
            </Text>
            <Text size="sm">{describeUnlinked(overview, providerName)}</Text>
            <Text size="sm">
              Should {providerName} be permanently unavailable, the operator of this server can turn this off.
            </Text>
          </Stack>
        ),
        confirmLabel: 'Require it',
      }}
      off={{
        title: 'No longer require single sign-on?',
        text: `Everyone who can sign in to this server with a password can then access ${name} with it.`,
        confirmLabel: 'Stop requiring it',
      }}
      done={['Single sign-on is required now.', 'Single sign-on is no longer required.']}
    >
      <Text size="sm">{describeUnlinked(overview, providerName)}</Text>
    </SettingSwitch>
  )
}

const describeUnlinked = ({ withoutIdentity, memberCount }: Overview, providerName: string): string => {
  if (withoutIdentity === 0) return `Every account of a member is linked to ${providerName}.`
  return withoutIdentity === 1
    ? `1 of ${memberCount} ${memberCount === 1 ? 'member' : 'members'} has an account that is not linked to ${providerName}.`
    : `${withoutIdentity} of ${memberCount} members have an account that is not linked to ${providerName}.`
}
