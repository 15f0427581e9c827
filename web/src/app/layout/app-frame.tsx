import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { trackNavigation } from '../../lib/navigation-history.ts'

const MAIN_ID = 'main'

/** What stays while screens change: skip link, header, the main landmark, footer. */
export function AppFrame({
  header,
  footer,
  children,
}: {
  header: ReactNode
  footer: ReactNode
  children: ReactNode
}) {
  const main = useRef<HTMLElement>(null)
  useEffect(trackNavigation, [])
  useNewScreen(main)
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN_ID}`}
        className="absolute top-2 left-2 z-50 -translate-y-24 rounded-control bg-ink px-4 py-2.5 font-strong text-ground focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      {header}
      {/* As tall as the window from the first, so that the footer is not seen to jump when a screen arrives. */}
      <main ref={main} id={MAIN_ID} tabIndex={-1} className="min-h-[calc(100dvh-4.5rem)] grow">
        {children}
      </main>
      {footer}
    </div>
  )
}

/** A link to another screen starts it at its top, with the focus there; going back leaves the browser its memory. */
function useNewScreen(main: { current: HTMLElement | null }) {
  const [location] = useLocation()
  const shown = useRef(location)
  const travelled = useRef(false)

  useEffect(() => {
    const onTravel = () => {
      travelled.current = true
    }
    window.addEventListener('popstate', onTravel)
    return () => window.removeEventListener('popstate', onTravel)
  }, [])

  useEffect(() => {
    if (shown.current === location) return
    shown.current = location
    if (!travelled.current) window.scrollTo(0, 0)
    travelled.current = false
    main.current?.focus({ preventScroll: true })
  }, [location, main])
}
