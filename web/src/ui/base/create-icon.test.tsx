import { render } from '@testing-library/react'
import { createLucideIcon } from 'lucide-react'
import { expect, test } from 'vitest'
import createIcon from './create-icon.ts'

test('icons are drawn at build time exactly as lucide draws them', () => {
  const node: [string, { d: string; key: string }][] = [['path', { d: 'M5 12h14', key: 'line' }]]
  const [Ours, Theirs] = [createIcon({ size: 24, node }), createLucideIcon('minus', node)]
  const draw = (icon: React.ReactNode) => render(icon).container.innerHTML.replace(/ class="[^"]*"/, '')
  expect(draw(<Ours className="size-4" />)).toBe(draw(<Theirs className="size-4" />))
  expect(draw(<Ours strokeWidth={1} aria-hidden="true" />)).toBe(
    draw(<Theirs strokeWidth={1} aria-hidden="true" />),
  )
})
