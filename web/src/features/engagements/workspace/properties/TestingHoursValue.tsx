import { useState } from 'react'
import { DraftDialogForm } from '../../../../forms/Form.tsx'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import { ButtonField } from '../../../../ui/fields/ButtonField.tsx'
import { describeWindows, type TestingHours } from '../../testing-hours.ts'
import { TestingHoursField } from './TestingHoursField.tsx'
import { useDetailsForm } from './use-details-form.ts'

/** The testing hours as a field; its dialog changes them, and sends them as a whole. */
export const TestingHoursValue = () => {
  const { testingHours } = useEngagement().details
  const [isOpened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <ButtonField label="Testing hours" onClick={() => setOpened(true)}>
        {describe(testingHours)}
      </ButtonField>
      <Dialog opened={isOpened} onClose={close} title="Testing hours" size="lg">
        <HoursForm onDone={close} />
      </Dialog>
    </>
  )
}

const describe = (hours: TestingHours | null): string =>
  hours ? `${describeWindows(hours).join('; ')} (${hours.timeZone})` : 'Any time'

const HoursForm = ({ onDone }: { onDone: () => void }) => {
  const form = useDetailsForm('testingHours', 'engagement-hours', onDone)
  return (
    <DraftDialogForm
      form={form}
      labels={{ testingHours: { label: 'Testing hours', show: describe } }}
      submitLabel="Save hours"
      onCancel={onDone}
    >
      <TestingHoursField
        value={form.values.testingHours}
        onChange={(hours) => form.setFieldValue('testingHours', hours)}
        error={form.errors.testingHours}
      />
    </DraftDialogForm>
  )
}
