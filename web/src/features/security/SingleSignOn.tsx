import { Text } from '@mantine/core'
import { useSignInMode } from '../../shell/sign-in/mode.ts'
import type { Settings } from './SecurityPage.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'

export const SingleSignOn = ({ settings }: { settings: Settings }) => {
  const { provider, providerName } = useSignInMode()
  return (
    <SettingSwitch
      setting="ssoEnabled"
      settings={settings}
      title="Single sign-on"
      description="With it on, members get into this organization through the identity provider of this server alone: a password opens it no more."
      label="Require single sign-on"
      {...(provider === 'local' && {
        obstacle: (
          <Text size="sm" c="dimmed">
            Not available: this server has no identity provider. Whoever runs it can set one up.
          </Text>
        ),
      })}
      on={{
        title: `Require ${providerName ?? 'single sign-on'} of everybody?`,
        text: 'Who signed in with a password is kept out at once, instance administrators included, until they sign in through the provider. API keys are not affected. You must have signed in through it yourself.',
        confirmLabel: 'Require it',
      }}
      off={{
        title: 'No longer require single sign-on?',
        text: 'A password opens this organization again, for those whom the operator of this server lets in with one.',
        confirmLabel: 'Stop requiring it',
      }}
      done={['Single sign-on is required now.', 'Single sign-on is no longer required.']}
    />
  )
}
