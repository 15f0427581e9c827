import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Button } from '../forms/button.tsx'
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx'

/** A card that disappears once it is handled. */
function Card() {
  const [isGone, setIsGone] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  if (isGone) return null
  return (
    <ConfirmDialog
      title="Pay?"
      description="It cannot be undone."
      confirmLabel="Pay"
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => setIsGone(true)}
      trigger={<Button>Handle</Button>}
    />
  )
}

async function openCard() {
  render(
    <main tabIndex={-1}>
      <Card />
    </main>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Handle' }))
  await screen.findByRole('alertdialog')
}

test('a closed dialog returns the focus to the control that opened it', async () => {
  await openCard()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Handle' })).toHaveFocus())
})

test('if the control that opened a dialog is gone, the focus moves to the main part of the page', async () => {
  await openCard()
  await userEvent.click(screen.getByRole('button', { name: 'Pay' }))
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
})
