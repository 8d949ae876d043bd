import { Button, Menu } from '@mantine/core'
import { call, messageOf, useApiMutation } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import classes from './checks.module.css'

/** Adds a word to those that the spelling check accepts, for people who may change one of the two lists. */
export const AddWord = ({ word }: { word: string }) => {
  const organization = useOrganization()
  const { details, mayChangeDetails } = useEngagement()
  const onError = (error: Error) => toastError(messageOf(error))
  const inEngagement = useApiMutation(organization.id, 'updateEngagementDetails', {
    invalidates: [
      [organization.id, 'getEngagementDetails'],
      [organization.id, 'checkReport'],
    ],
    onError,
  })
  const inOrganization = useApiMutation(organization.id, 'updateReportSettings', {
    invalidates: [
      [organization.id, 'getReportSettings'],
      [organization.id, 'checkReport'],
    ],
    onError,
  })
  const addToEngagement = () =>
    inEngagement.mutate({
      params: { engagementId: details.engagementId },
      body: { reportWords: withWord(details.reportWords, word), ifUpdatedAt: details.updatedAt },
    })
  const addToOrganization = async () => {
    try {
      const { data } = await call(organization.id, 'getReportSettings')
      inOrganization.mutate({ body: { words: withWord(data.words, word) } })
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  if (!mayChangeDetails && !isAdmin(organization)) return null
  return (
    <DropdownMenu
      position="bottom-end"
      target={
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.waive}
          loading={inEngagement.isPending || inOrganization.isPending}
          aria-label={`Add to dictionary: “${word}”`}
        >
          Add to dictionary
        </Button>
      }
    >
      {mayChangeDetails && <Menu.Item onClick={addToEngagement}>Words of this engagement</Menu.Item>}
      {isAdmin(organization) && (
        <Menu.Item onClick={() => void addToOrganization()}>Words of the organization</Menu.Item>
      )}
    </DropdownMenu>
  )
}

const withWord = (words: readonly string[], word: string): string[] => [...new Set([...words, word])]
