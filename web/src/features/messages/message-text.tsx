import { Tooltip, TooltipProvider } from '../../ui/overlays/tooltip.tsx'
import { splitLinks } from './split-links.ts'

/** A text whose links show the host that the browser will open, not the one that was written. */
export function MessageText({ text }: { text: string }) {
  return splitLinks(text).map((part) =>
    typeof part === 'string' ? part : <MessageLink key={part.start} address={part.address} />,
  )
}

const PATH_MAX = 24

function MessageLink({ address }: { address: URL }) {
  const path = `${address.pathname}${address.search}${address.hash}`
  const shownPath = path === '/' ? '' : path
  return (
    <TooltipProvider>
      <Tooltip text={address.href}>
        <a
          href={address.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2 [overflow-wrap:anywhere]"
        >
          <span className="font-strong">{address.host}</span>
          {shownPath.length > PATH_MAX ? `${shownPath.slice(0, PATH_MAX)}…` : shownPath}
        </a>
      </Tooltip>
    </TooltipProvider>
  )
}
