import { Stack, Switch, Text } from '@mantine/core'
import { Section } from '../../ui/Page.tsx'
import type { Settings } from './SecurityPage.tsx'

export const SingleSignOn = ({ settings }: { settings: Settings }) => (
  <Section
    title="Single sign-on"
    description="With it on, members get into this organization through the identity provider of this server alone: a password opens it no more."
  >
    <Stack gap="sm">
      <Switch label="Require single sign-on" checked={settings.ssoEnabled} disabled readOnly />
      <Text size="sm" c="dimmed">
        Not available: this server has no identity provider. Whoever runs it can set one up.
      </Text>
    </Stack>
  </Section>
)
