import { render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { Button } from '../forms/button.tsx'
import { Chip } from '../forms/chip.tsx'
import { IconButton } from '../forms/icon-button.tsx'
import { BackLink } from '../layout/back-link.tsx'

test('buttons of a server-rendered page work after hydration, those of plain forms immediately', () => {
  const buttons = (
    <>
      <Button>Save</Button>
      <IconButton label="Close" />
      <Chip pressed>Music</Chip>
      <BackLink>Back</BackLink>
      <Button type="submit">Send</Button>
      <Button type="submit" formMethod="get">
        Search
      </Button>
    </>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(buttons)
  document.body.append(container)
  onTestFinished(() => container.remove())
  const waiting = () =>
    screen
      .getAllByRole('button')
      .filter((button) => button.getAttribute('aria-disabled') === 'true')
      .map((button) => button.textContent || button.getAttribute('aria-label'))
  expect(waiting()).toEqual(['Save', 'Close', 'Music', 'Back', 'Send'])
  // The browser would send a form without a method to the address of the page.
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled()
  render(buttons, { container, hydrate: true })
  expect(waiting()).toEqual([])
  expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled()
})
