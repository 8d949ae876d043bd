import { List, Stack, Text } from '@mantine/core'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useAccount } from '../../shell/context/session.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import type { Overview, Settings } from './settings.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

export const RequireTwoFactor = ({ settings, overview }: { settings: Settings; overview: Overview }) => {
  const organization = useOrganization()
  const { secondFactor } = useAccount()
  return (
    <SettingSwitch
      setting="requireTwoFactor"
      settings={settings}
      title="Two-factor authentication"
      description="A member without an authenticator app or a passkey can do nothing in this organization except set one up. API keys are not affected."
      label="Require two-factor authentication"
      {...(!secondFactor.enabled && {
        obstacle: (
          <Text size="sm">
            To switch this on, <TextLink to={paths.secondFactor()}>set up your own</TextLink> first: you would be locked
            out, too.
          </Text>
        ),
      })}
      on={{
        title: 'Require two-factor authentication of everyone?',
        text: (
          <Stack gap="xs">
            <Kept overview={overview} />
            <Text size="sm">
              It applies to invited people as well. If a member loses phone and recovery codes, reset two-factor
              authentication under <TextLink to={paths.members(organization.slug)}>Members</TextLink>.
            </Text>
          </Stack>
        ),
        confirmLabel: 'Require it',
      }}
      off={{
        title: 'Stop requiring two-factor authentication?',
        text: 'Members may then remove theirs, and a stolen password may be enough to get in.',
        confirmLabel: 'Stop requiring it',
      }}
      done={['Two-factor authentication is required now.', 'Two-factor authentication is no longer required.']}
    >
      <Text size="sm">
        {overview.withoutSecondFactor === 0 ? (
          <>
            All {overview.memberCount === 1 ? 'members' : `${overview.memberCount} members`} have two-factor
            authentication.
          </>
        ) : (
          <>
            {overview.withoutSecondFactor} of {overview.memberCount}{' '}
            {overview.memberCount === 1 ? 'member has' : 'members have'} none.{' '}
            <TextLink to={paths.members(organization.slug)}>See who</TextLink>
          </>
        )}
      </Text>
    </SettingSwitch>
  )
}

/** Members who lose access as soon as the setting is enabled. */
const Kept = ({ overview: { withoutSecondFactor, named } }: { overview: Overview }) => {
  const { name } = useOrganization()
  if (withoutSecondFactor === 0) return <Text size="sm">Every member has one today, so no one is locked out.</Text>
  const more = withoutSecondFactor - named.length
  return (
    <>
      <Text size="sm">
        {withoutSecondFactor === 1 ? 'One member has' : `${withoutSecondFactor} members have`} none and{' '}
        {withoutSecondFactor === 1 ? 'loses' : 'lose'} access to {name} at once, in every open window, until one is set
        up:
      </Text>
      <List size="sm">
        {named.map((member) => (
          <List.Item key={member.id}>
            {member.name} ({member.email})
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
      </List>
    </>
  )
}
