const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/**
 * Calls `load` with the path of an internal link that the user points at, focuses or touches, unless they save
 * data.
 */
export function preloadOnIntent(load: (path: string) => Promise<unknown> | undefined): () => void {
  const onIntent = ({ target }: Event) => {
    const link = target instanceof Element && target.closest('a')
    if (!link || link.origin !== window.location.origin || savesData()) return
    // A failure is ignored, because opening the link loads the screen again and shows the error.
    load(link.pathname)?.catch(() => {})
  }
  for (const event of INTENTS) document.addEventListener(event, onIntent, { passive: true })
  return () => {
    for (const event of INTENTS) document.removeEventListener(event, onIntent)
  }
}

/** False in browsers that do not support the setting. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
