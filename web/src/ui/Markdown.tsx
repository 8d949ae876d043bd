import { Typography } from '@mantine/core'
import type { ComponentProps } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

/**
 * Markdown that anybody wrote: only harmless elements and addresses, no image from elsewhere. It has no HTML of its own: what
 * looks like some, as `<target>` does, is text and is shown.
 */
export const Markdown = ({ text }: { text: string }) => (
  <Typography className={classes.markdown}>
    <ReactMarkdown
      remarkPlugins={REMARK_PLUGINS}
      rehypePlugins={[rehypeSanitize]}
      components={{
        a: ({ href, children }) => (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow">
            {children}
          </a>
        ),
        h1: ({ children }) => <h2>{children}</h2>,
        img: ({ alt, src }) => <span className={classes.image}>[image: {alt || src}]</span>,
        input: ({ checked }) => (
          <span aria-label={checked ? 'done' : 'open'} role="img">
            {checked ? '☑' : '☐'}{' '}
          </span>
        ),
      }}
    >
      {text}
    </ReactMarkdown>
  </Typography>
)

type Plugins = NonNullable<ComponentProps<typeof ReactMarkdown>['remarkPlugins']>

/** Switches HTML off where Markdown is read. Left on, its tags would be dropped afterwards, and with them what people wrote. */
function htmlIsText(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['htmlFlow', 'htmlText'] } }]
}

/** One tilde strikes nothing out: it begins paths. */
const REMARK_PLUGINS: Plugins = [[remarkGfm, { singleTilde: false }], htmlIsText]
