import { escapeHtml } from '../text/text.ts'

/** The content of a mail; every text is plain and is escaped for HTML here. */
export interface MailContent {
  subject: string
  paragraphs: readonly string[]
  /** The one action for the recipient. */
  action?: { label: string; url: string }
  /** Small print below. */
  footer: readonly string[]
}

/** Renders the content as text and as HTML, without external resources. */
export const renderMail = (content: MailContent): { subject: string; text: string; html: string } => ({
  subject: oneLine(content.subject),
  text: [
    ...content.paragraphs,
    ...(content.action ? [`${content.action.label}:\n${content.action.url}`] : []),
    ['-- ', ...content.footer].join('\n'),
  ].join('\n\n'),
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1b1f24;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border:1px solid #dde1e6;border-radius:8px">
${content.paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n')}
${content.action ? button(content.action) : ''}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #dde1e6;font-size:13px;color:#57606a">${content.footer.map(escapeHtml).join('<br>')}</p>
</div></body></html>
`,
})

const button = ({ label, url }: { label: string; url: string }) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;background:#1f4fd8;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(label)}</a></p>
<p style="margin:0;font-size:13px;color:#57606a;word-break:break-all">${escapeHtml(url)}</p>`

/** A subject is one line, whatever names it quotes. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
