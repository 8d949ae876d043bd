import { Stack, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Section } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/toasts/toast.ts'
import type { Settings } from './settings.ts'

/** Confirmation before a setting changes. */
interface Question {
  title: string
  /** Consequence, and whom it affects. */
  text: ReactNode
  confirmLabel: string
}

interface SettingSwitchProps {
  setting: keyof Settings
  settings: Settings
  title: string
  description: string
  label: string
  /** Why it cannot be enabled now; empty if it can. */
  obstacle?: ReactNode
  on: Question
  off: Question
  /** Toasts after enabling and after disabling. */
  done: readonly [on: string, off: string]
  /** Whom it affects today. */
  children?: ReactNode
}

/** A setting that asks for confirmation before each change. */
export const SettingSwitch = ({
  setting,
  settings,
  title,
  description,
  label,
  obstacle,
  on,
  off,
  done,
  children,
}: SettingSwitchProps) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const isOn = settings[setting]
  const [wanted, setWanted] = useState(!isOn)
  const [asking, setAsking] = useState(false)
  const change = useApiMutation(organization.id, 'updateOrganizationSettings', {
    invalidates: [
      [organization.id, 'getOrganization'],
      [organization.id, 'getSecurityOverview'],
    ],
    onSuccess: () => {
      setAsking(false)
      toast(wanted ? done[0] : done[1])
      return cache.invalidateQueries({ queryKey: [null, 'getAccount'] })
    },
  })
  const ask = () => {
    change.reset()
    setWanted(!isOn)
    setAsking(true)
  }
  const { title: question, text, confirmLabel } = wanted ? on : off
  return (
    <Section title={title} description={description}>
      <Stack gap="sm">
        <Switch label={label} checked={isOn} disabled={!isOn && obstacle !== undefined} onChange={ask} />
        {!isOn && obstacle}
        {children}
      </Stack>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate({ body: { [setting]: wanted } })}
        title={question}
        confirmLabel={confirmLabel}
        danger={!wanted}
        loading={change.isPending}
        error={change.error ? messageOf(change.error) : undefined}
      >
        {text}
      </ConfirmDialog>
    </Section>
  )
}
