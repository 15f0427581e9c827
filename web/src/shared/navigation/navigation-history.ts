/**
 * The URLs of this visit, in order. Browsers do not tell whether the previous history entry belongs to
 * this site, so we track it ourselves.
 */
export type NavigationHistory = readonly string[]

/** 'traverse' is the back or forward button. */
export type Navigation = 'push' | 'replace' | 'traverse'

export function addNavigation(
  history: NavigationHistory,
  navigation: Navigation,
  url: string,
): NavigationHistory {
  switch (navigation) {
    case 'push':
      return [...history, url]
    case 'replace':
      return [...history.slice(0, -1), url]
    case 'traverse':
      return history.at(-2) === url ? history.slice(0, -1) : [...history, url]
  }
}

let history: NavigationHistory = []

const currentUrl = () => window.location.pathname + window.location.search

/** Starts tracking. wouter fires events with these names when it pushes or replaces. */
export function trackNavigation(): () => void {
  history = [currentUrl()]
  const track = (navigation: Navigation) => () => {
    history = addNavigation(history, navigation, currentUrl())
  }
  const listeners = { pushState: track('push'), replaceState: track('replace'), popstate: track('traverse') }
  for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener)
  }
}

export function canGoBack(): boolean {
  return history.length > 1
}
