import { Button } from '@mantine/core'
import { IconMessage } from '../../../../ui/page-icons.tsx'
import { finding as route } from '../../findings.routes.ts'
import type { Finding } from '../../labels.ts'
import { useFindingComments } from './use-finding-comments.ts'

/** Shows or hides the comments next to the editor, and says how many are open. */
export const CommentsToggle = ({ finding }: { finding: Finding }) => {
  const { side } = route.useSearch()
  const navigate = route.useNavigate()
  const { open } = useFindingComments(finding).queue
  const isShown = side === 'comments'
  return (
    <Button
      variant="default"
      leftSection={<IconMessage size={14} aria-hidden />}
      aria-expanded={isShown}
      onClick={() =>
        void navigate({
          search: ({ side: _, ...rest }) => (isShown ? rest : { ...rest, side: 'comments' }),
          replace: true,
        })
      }
    >
      Comments{open.length > 0 && ` ${open.length.toLocaleString('en')}`}
    </Button>
  )
}
