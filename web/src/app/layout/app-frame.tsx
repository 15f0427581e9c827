import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { trackNavigation } from '../../shared/navigation/navigation-history.ts'

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

/** The last scroll position at each address of this visit. */
const scrollPositions = new Map<string, number>()

/** Whether the user is going back or forward. Listens before the router, which changes the screen immediately. */
let isTraversal = false
if (!import.meta.env.SSR) {
  window.addEventListener('popstate', () => {
    isTraversal = true
  })
}

const currentUrl = () => window.location.pathname + window.location.search

/**
 * Focuses the main landmark when another screen is shown. A new screen starts at its top. After back and forward,
 * the earlier position is restored. Browsers would restore it before the screen has its full height, so they do it
 * only after a reload.
 */
function useScreenChange(main: { current: HTMLElement | null }) {
  const [location] = useLocation()
  const search = useSearch()
  const url = search ? `${location}?${search}` : location
  const previous = useRef({ location, url })

  useEffect(() => {
    const onScroll = () => scrollPositions.set(currentUrl(), window.scrollY)
    const onPageHide = () => {
      window.history.scrollRestoration = 'auto'
    }
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', onPageHide)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])

  useLayoutEffect(() => {
    const isSameScreen = previous.current.location === location
    if (previous.current.url === url) return
    previous.current = { location, url }
    if (!isSameScreen) main.current?.focus({ preventScroll: true })
    const isReturn = isTraversal
    isTraversal = false
    if (isReturn && main.current) return restoreScroll(scrollPositions.get(url) ?? 0, main.current)
    if (!isSameScreen) window.scrollTo(0, 0)
  }, [location, url, main])
}

const USER_SCROLLS = ['wheel', 'touchmove', 'keydown'] as const

/**
 * Scrolls as soon as the screen is tall enough, unless the user scrolls first. Returns a function that cancels
 * this.
 */
function restoreScroll(top: number, main: HTMLElement): () => void {
  const observer = new ResizeObserver(() => scroll())
  const stop = () => {
    observer.disconnect()
    for (const event of USER_SCROLLS) window.removeEventListener(event, stop)
  }
  const scroll = () => {
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) < 1) stop()
  }
  for (const event of USER_SCROLLS) window.addEventListener(event, stop, { passive: true })
  observer.observe(main)
  scroll()
  return stop
}
