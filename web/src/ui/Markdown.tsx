import { Typography } from '@mantine/core'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

/** Markdown that anybody wrote: no HTML of its own, only harmless elements and addresses, no image from elsewhere. */
export const Markdown = ({ text }: { text: string }) => (
  <Typography className={classes.markdown}>
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
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
