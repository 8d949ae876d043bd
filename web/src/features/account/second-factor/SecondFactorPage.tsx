import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Account, useAccount } from '../../../shell/context/session.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconShieldCheck, IconShieldLock } from '../../../ui/icons.tsx'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import { Passkeys } from './Passkeys.tsx'
import { RemoveSecondFactorDialog } from './RemoveSecondFactorDialog.tsx'
import { RenewCodesDialog } from './RenewCodesDialog.tsx'

const FEW_CODES = 3

type Open = 'app' | 'passkey' | 'renew' | 'remove' | undefined

export const SecondFactorPage = () => {
  const { secondFactor } = useAccount()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Two-factor authentication"
      layout="form"
      description="A second step after the password, so that a stolen password is not enough. Use a passkey, an app on your phone, or both."
    >
      <Required secondFactor={secondFactor} />
      {secondFactor.enabled ? (
        <Factors secondFactor={secondFactor} onOpen={setOpen} />
      ) : (
        <EmptyState
          icon={<IconShieldCheck size={32} stroke={1.4} />}
          title="Two-factor authentication is off"
          action={
            <Group gap="xs" justify="center">
              <Button onClick={() => setOpen('app')}>Set up an authenticator app</Button>
              <Button variant="default" onClick={() => setOpen('passkey')}>
                Add a passkey
              </Button>
            </Group>
          }
        >
          An authenticator app shows a new code every 30 seconds. A passkey is a security key, a phone or this computer,
          and takes a touch.
        </EmptyState>
      )}
      <EnrolDialog opened={open === 'app'} onClose={close} />
      <AddPasskeyDialog opened={open === 'passkey'} onClose={close} />
      <RenewCodesDialog opened={open === 'renew'} onClose={close} />
      <RemoveSecondFactorDialog opened={open === 'remove'} onClose={close} />
    </Page>
  )
}

const Required = ({ secondFactor }: Pick<Account, 'secondFactor'>) => {
  const by = secondFactor.requiredBy.map(({ name }) => name).join(', ')
  if (!by) return null
  if (secondFactor.enabled) {
    return (
      <Text size="sm" c="dimmed">
        Required by {by}.
      </Text>
    )
  }
  return (
    <Alert color="yellow" variant="light" icon={<IconShieldLock size={18} aria-hidden />}>
      {by} requires two-factor authentication: its pages open once you have set it up.
    </Alert>
  )
}

const Factors = ({ secondFactor, onOpen }: Pick<Account, 'secondFactor'> & { onOpen: (open: Open) => void }) => (
  <>
    <Section
      title="Passkeys"
      description={
        secondFactor.passkeys === 0
          ? 'None yet. Touch a security key, a phone or this computer instead of entering a code.'
          : undefined
      }
      actions={
        <Button variant="default" onClick={() => onOpen('passkey')}>
          Add a passkey
        </Button>
      }
    >
      {secondFactor.passkeys > 0 && <Passkeys />}
    </Section>
    <Section
      title="Authenticator app"
      description={
        secondFactor.appEnabledAt ? (
          <>
            Set up <TimeAgo iso={secondFactor.appEnabledAt} />.
          </>
        ) : (
          'None. Any app that reads QR codes for one-time passwords will do.'
        )
      }
      actions={
        <Button variant="default" onClick={() => onOpen(secondFactor.appEnabledAt ? 'remove' : 'app')}>
          {secondFactor.appEnabledAt ? 'Remove the app' : 'Set up an authenticator app'}
        </Button>
      }
    />
    <Section
      title="Recovery codes"
      description={`${secondFactor.recoveryCodesLeft} of 10 are left. Each works once if you lose your other factors.`}
      actions={
        <Button variant="default" onClick={() => onOpen('renew')}>
          Create new recovery codes
        </Button>
      }
    >
      {secondFactor.recoveryCodesLeft <= FEW_CODES && (
        <Alert color="yellow" variant="light" title={`${secondFactor.recoveryCodesLeft} recovery codes are left`}>
          Create new ones before they run out: they let you in if you lose phone and keys.
        </Alert>
      )}
    </Section>
  </>
)
