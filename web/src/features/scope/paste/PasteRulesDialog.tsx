import { Textarea } from '@mantine/core'
import { sendable } from '@sortie/contract/core/pasted-lines.ts'
import { useEffect, useState } from 'react'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import type { LetterRule } from './preview.ts'
import { RulesPreview } from './RulesPreview.tsx'

interface PasteRulesDialogProps {
  engagementId: string
  onClose: () => void
}

interface Letter {
  text: string
  rules: readonly LetterRule[]
}

/** Imports the client's scope letter in two steps: text, then a preview of each rule. Only the second step saves. */
export const PasteRulesDialog = ({ engagementId, onClose }: PasteRulesDialogProps) => {
  const [letter, setLetter] = useState<Letter>()
  const [text, setText] = useState('')
  const back = () => {
    setText(letter?.text ?? '')
    setLetter(undefined)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={letter ? 'Check each rule' : "Paste the client's list or letter"}
      size={letter ? 'xl' : 'lg'}
    >
      {letter ? (
        <RulesPreview engagementId={engagementId} {...letter} onBack={back} onClose={onClose} />
      ) : (
        <PasteText engagementId={engagementId} text={text} onRead={setLetter} onClose={onClose} />
      )}
    </Dialog>
  )
}

const EMPTY = { text: '' }

interface PasteTextProps extends PasteRulesDialogProps {
  /** Text of an earlier step, returned for correction. */
  text: string
  onRead: (letter: Letter) => void
}

const PasteText = ({ engagementId, text, onRead, onClose }: PasteTextProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'parseScopeRules')
  const form = useDraftForm({
    draft: `engagement/${engagementId}/paste-rules`,
    saved: { values: EMPTY },
    send: (values) => send({ body: { engagementId, text: sendable(values.text) } }),
    savedBy: () => ({ values: EMPTY }),
    onSaved: ({ data }, values) => onRead({ text: sendable(values.text), rules: data.rules }),
  })
  const { setFieldValue } = form
  // Set as a change and not as the saved value: it is user input, and closing asks before discarding it.
  useEffect(() => {
    if (text !== '') setFieldValue('text', text)
  }, [text, setFieldValue])
  return (
    <DraftDialogForm form={form} submitLabel="Show the rules" onCancel={onClose} disabled={!form.values.text.trim()}>
      <Textarea
        label="List or letter"
        description="Headings such as “In scope:”, “Out of scope:” and “Handle with care:” give the effect of the lines below them. Nothing is saved before you have checked each rule."
        placeholder={
          'In scope:\n*.contoso.example\n10.20.0.0/16 # annex A\n\nOut of scope:\n- vpn.contoso.example (hosted by a third party)'
        }
        rows={14}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('text')}
      />
    </DraftDialogForm>
  )
}
