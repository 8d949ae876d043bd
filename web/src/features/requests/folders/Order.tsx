import { ActionIcon, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { IconArrowUp } from '../../../ui/icons.tsx'
import { IconArrowDown } from '../../../ui/page-icons.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { staleRequests, usePlace } from '../place.tsx'
import { Method } from '../tree/Method.tsx'
import { requestsIn, useSaved } from '../tree/tree.ts'
import classes from './folders.module.css'

/** Reorders the requests of a folder. */
export const Order = ({ folderId }: { folderId: string }) => {
  const { organizationId, mayWrite, addressOf } = usePlace()
  const requests = useQuery(useSaved().requests)
  const move = useApiMutation(organizationId, 'moveApiRequest', {
    invalidates: staleRequests(organizationId),
    inOrder: 'move-request',
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <QueryView query={requests}>
      {(all) => {
        const own = requestsIn(all, folderId)
        if (own.length === 0) {
          return (
            <Text size="sm" c="dimmed">
              No requests directly in this folder. “New request” adds one.
            </Text>
          )
        }
        return (
          <ol className={classes.order} aria-label="Requests in their order">
            {own.map(({ id, name, method }, index) => {
              const [above, below] = [own[index - 1], own[index + 1]]
              return (
                <li key={id}>
                  <Method method={method} />
                  <span className={classes.name}>
                    <TextLink to={addressOf(id)} className={classes.link as string}>
                      {name}
                    </TextLink>
                  </span>
                  {mayWrite && (
                    <Group gap={4} wrap="nowrap">
                      <ActionIcon
                        aria-label={`Move ${name} up`}
                        disabled={!above || move.isPending}
                        onClick={() =>
                          above && move.mutate({ params: { requestId: id }, body: { beforeId: above.id } })
                        }
                      >
                        <IconArrowUp size={14} aria-hidden />
                      </ActionIcon>
                      <ActionIcon
                        aria-label={`Move ${name} down`}
                        disabled={!below || move.isPending}
                        onClick={() => below && move.mutate({ params: { requestId: id }, body: { afterId: below.id } })}
                      >
                        <IconArrowDown size={14} aria-hidden />
                      </ActionIcon>
                    </Group>
                  )}
                </li>
              )
            })}
          </ol>
        )
      }}
    </QueryView>
  )
}
