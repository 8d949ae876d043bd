import { Text, Textarea } from '@mantine/core'
import { useSend } from '../../../api/use-send.ts'
import { type Report, staleReportReads } from '../../../domain/reports/report-words.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import classes from './checks.module.css'
import { CODE_LABELS, type Problem } from './problems.ts'

interface WaiveDialogProps {
  report: Report
  problem: Problem
  onClose: () => void
}

/** Accepts a problem with a reason, which editions keep. */
export const WaiveDialog = (props: WaiveDialogProps) => (
  <Dialog opened onClose={props.onClose} title={`Waive: ${CODE_LABELS[props.problem.code]}`}>
    <WaiveForm {...props} />
  </Dialog>
)

const WaiveForm = ({ report, problem: { code, where, message }, onClose }: WaiveDialogProps) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'waiveReportProblem', staleReportReads(organization.id))
  const form = useDraftForm({
    saved: { values: { reason: '' } },
    send: ({ reason }) => send({ params: { reportId: report.id }, body: { code, where, reason: reason.trim() } }),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm form={form} submitLabel="Waive" onCancel={onClose} disabled={!form.values.reason.trim()}>
      <div>
        <Text size="sm">{message}</Text>
        {where.quote !== null && <code className={classes.quote}>{where.quote}</code>}
      </div>
      <Textarea
        label="Reason"
        description="Kept with the report and its editions. If the words change, the problem is open again."
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DraftDialogForm>
  )
}
