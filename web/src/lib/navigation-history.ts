/**
 * Where we have been in this visit, last place last. The browser will not say whether going back stays with us, so we
 * keep count ourselves.
 */
export type Trail = readonly string[]

export type Step = 'push' | 'replace' | 'travel'

export function follow(trail: Trail, step: Step, url: string): Trail {
  switch (step) {
    case 'push':
      return [...trail, url]
    case 'replace':
      return [...trail.slice(0, -1), url]
    case 'travel':
      return trail.at(-2) === url ? trail.slice(0, -1) : [...trail, url]
  }
}

let trail: Trail = []

const here = () => window.location.pathname + window.location.search

/** Starts keeping count; wouter tells of its pushes and replaces with events of these names. */
export function trackNavigation(): () => void {
  trail = [here()]
  const note = (step: Step) => () => {
    trail = follow(trail, step, here())
  }
  const steps = { pushState: note('push'), replaceState: note('replace'), popstate: note('travel') }
  for (const [name, listener] of Object.entries(steps)) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(steps)) window.removeEventListener(name, listener)
  }
}

export function canGoBack(): boolean {
  return trail.length > 1
}
