import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { trackNavigation } from '../../lib/navigation-history.ts'

const MAIN_ID = 'main'

/** The frame around all screens: skip link, header, main landmark and footer. */
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
  useScreenChange(main)
  return (
    <div className="flex min-h-dvh flex-col print:block print:min-h-0">
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
      {/* At least as tall as the window, so that the footer does not jump when a screen has loaded. */}
      <main ref={main} id={MAIN_ID} tabIndex={-1} className="min-h-[calc(100dvh-4.5rem)] grow print:min-h-0">
        {children}
      </main>
      {footer}
    </div>
  )
}

/** Scrolls to the top and focuses the main landmark on navigation. After back and forward the browser restores the scroll position. */
function useScreenChange(main: { current: HTMLElement | null }) {
  const [location] = useLocation()
  const previous = useRef(location)
  const isTraversal = useRef(false)

  useEffect(() => {
    const onPopState = () => {
      isTraversal.current = true
    }
    window.addEventListener('popstate', onPopState)
    return () => window.removeEventListener('popstate', onPopState)
  }, [])

  useEffect(() => {
    if (previous.current === location) return
    previous.current = location
    if (!isTraversal.current) window.scrollTo(0, 0)
    isTraversal.current = false
    main.current?.focus({ preventScroll: true })
  }, [location, main])
}
