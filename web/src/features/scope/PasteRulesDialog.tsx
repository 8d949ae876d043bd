import { NativeSelect, Textarea } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { sendable } from '@sortie/contract/pasted-lines.ts'
import { useState } from 'react'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useSend } from '../../forms/use-send.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasteOutcome } from '../../ui/PasteOutcome.tsx'
import { EFFECT_OPTIONS, type Effect } from '../../ui/verdicts.tsx'
import { staleAfterRules } from './stale.ts'

interface PasteRulesDialogProps {
  engagementId: string
  onClose: () => void
}

/** The scope as the client wrote it down: many patterns of one effect at once. */
export const PasteRulesDialog = (props: PasteRulesDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Paste the client's list" size="lg">
    <PasteRules {...props} />
  </Dialog>
)

const EMPTY = { effect: 'allow' as Effect, text: '' }

const PasteRules = ({ engagementId, onClose }: PasteRulesDialogProps) => {
  const organization = useOrganization()
  const [outcome, setOutcome] = useState<Output<'createScopeRules'>['data']>()
  const send = useSend(organization.id, 'createScopeRules', staleAfterRules(organization.id))
  const form = useDraftForm({
    draft: `engagement/${engagementId}/paste-rules`,
    saved: { values: EMPTY },
    send: (values) => send({ body: { engagementId, ...values, text: sendable(values.text) } }),
    savedBy: () => ({ values: EMPTY }),
    onSaved: ({ data }) => setOutcome(data),
  })
  const correct = (text: string) => {
    form.setFieldValue('text', text)
    setOutcome(undefined)
  }
  if (outcome) return <PasteOutcome outcome={outcome} nouns={['rule', 'rules']} onClose={onClose} onCorrect={correct} />
  return (
    <DraftDialogForm form={form} submitLabel="Add rules" onCancel={onClose} disabled={!form.values.text.trim()}>
      <Textarea
        label="Patterns, a line each"
        description="Names, *.names, addresses, networks, ranges, URLs. What cannot be read is rejected with the reason, and the rest is added."
        placeholder={'contoso.example\n*.contoso.example\n10.20.0.0/16 # annex A\n10.0.0.1-50'}
        rows={10}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('text')}
      />
      <NativeSelect label="Effect of all of them" data={EFFECT_OPTIONS} {...form.getInputProps('effect')} />
    </DraftDialogForm>
  )
}
