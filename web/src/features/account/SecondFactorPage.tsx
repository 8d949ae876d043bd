import { Alert, Button, Group } from '@mantine/core'
import { IconShieldCheck, IconShieldLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccount } from '../../shell/session.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Properties } from '../../ui/Properties.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import { RemoveSecondFactorDialog } from './RemoveSecondFactorDialog.tsx'
import { RenewCodesDialog } from './RenewCodesDialog.tsx'

const FEW_CODES = 3

type Open = 'enrol' | 'renew' | 'remove' | undefined

export const SecondFactorPage = () => {
  const { secondFactor } = useAccount()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const demandedBy = secondFactor.requiredBy.map(({ name }) => name).join(', ')
  return (
    <Page
      title="Second factor"
      width="narrow"
      description="A code of an app on your phone, asked for besides the password: a stolen password alone opens nothing."
    >
      {secondFactor.enabled ? (
        <>
          {secondFactor.recoveryCodesLeft <= FEW_CODES && (
            <Alert color="yellow" variant="light" title={`${secondFactor.recoveryCodesLeft} recovery codes are left`}>
              Make new ones before they run out: they are the way in when the phone is gone.
            </Alert>
          )}
          <Properties
            items={[
              ['State', 'On'],
              ['Since', <TimeAgo key="since" iso={secondFactor.enabledAt} />],
              ['Recovery codes left', `${secondFactor.recoveryCodesLeft} of 10`],
              ...(demandedBy ? ([['Demanded by', demandedBy]] as const) : []),
            ]}
          />
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen('renew')}>
              Make new recovery codes
            </Button>
            <Button variant="default" onClick={() => setOpen('remove')}>
              Switch off
            </Button>
          </Group>
        </>
      ) : (
        <>
          {demandedBy && (
            <Alert color="yellow" variant="light" icon={<IconShieldLock size={18} aria-hidden />}>
              {demandedBy} demands a second factor: its pages open once you have set one up.
            </Alert>
          )}
          <EmptyState
            icon={<IconShieldCheck size={32} stroke={1.4} />}
            title="There is none yet"
            action={<Button onClick={() => setOpen('enrol')}>Set up the second factor</Button>}
          >
            You need an authenticator app: any one that reads QR codes for one-time passwords will do.
          </EmptyState>
        </>
      )}
      <EnrolDialog opened={open === 'enrol'} onClose={close} />
      <RenewCodesDialog opened={open === 'renew'} onClose={close} />
      <RemoveSecondFactorDialog opened={open === 'remove'} onClose={close} />
    </Page>
  )
}
