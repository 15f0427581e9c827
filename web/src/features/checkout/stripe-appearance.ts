import type { Appearance } from '@stripe/stripe-js'
import { useMemo, useSyncExternalStore } from 'react'

const darkModeQuery = () => window.matchMedia('(prefers-color-scheme: dark)')

const subscribe = (listener: () => void) => {
  const query = darkModeQuery()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Our colours and shapes for Stripe's fields, which are in a frame outside our stylesheet's reach. */
export function useStripeAppearance(): Appearance {
  const isDark = useSyncExternalStore(subscribe, () => darkModeQuery().matches)
  return useMemo(() => createAppearance(isDark), [isDark])
}

function createAppearance(isDark: boolean): Appearance {
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: resolveColour('--color-accent'),
      colorBackground: resolveColour('--color-paper'),
      colorText: resolveColour('--color-ink'),
      colorTextSecondary: resolveColour('--color-ink-soft'),
      colorDanger: resolveColour('--color-danger'),
      fontFamily: 'system-ui, sans-serif',
      borderRadius: '5px',
    },
  }
}

/** Stripe does not understand oklch() or light-dark(), so a canvas converts the colour to RGB. */
function resolveColour(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas to convert a colour with')
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
