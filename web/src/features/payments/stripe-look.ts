import type { Appearance } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

const lamplight = () => window.matchMedia('(prefers-color-scheme: dark)')

const listen = (changed: () => void) => {
  const query = lamplight()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Our colours and shapes for Stripe's fields, which stand in a frame that our stylesheet does not reach. */
export function useStripeLook(): Appearance {
  const isDark = useSyncExternalStore(listen, () => lamplight().matches)
  return useMemo(() => look(isDark), [isDark])
}

function look(isDark: boolean): Appearance {
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: tokenColour('--color-accent'),
      colorBackground: tokenColour('--color-paper'),
      colorText: tokenColour('--color-ink'),
      colorTextSecondary: tokenColour('--color-ink-soft'),
      colorDanger: tokenColour('--color-danger'),
      fontFamily: 'system-ui, sans-serif',
      borderRadius: '5px',
    },
  }
}

/** Stripe reads no oklch and no light-dark(): a painted pixel tells what a token comes to. */
function tokenColour(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas to mix a colour on')
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
