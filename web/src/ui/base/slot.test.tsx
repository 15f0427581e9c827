import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ComponentProps, createRef } from 'react'
import { expect, test } from 'vitest'
import { Button } from '../forms/button.tsx'

const Link = (props: ComponentProps<'a'>) => <a href="#target" {...props} />

test('a link styled as a button keeps its own props, gets the classes and the ref, and runs both handlers', async () => {
  const clicked: string[] = []
  const ref = createRef<HTMLButtonElement>()
  render(
    <Button asChild ref={ref} id="outer" aria-describedby="hint" onClick={() => clicked.push('button')}>
      <Link id="inner" className="mt-4" onClick={() => clicked.push('link')}>
        Open
      </Link>
    </Button>,
  )
  const link = screen.getByRole('link', { name: 'Open' })
  expect(link).toHaveAttribute('id', 'inner')
  expect(link).toHaveAttribute('aria-describedby', 'hint')
  expect(link).toHaveClass('bg-accent', 'mt-4')
  expect(ref.current).toBe(link)
  await userEvent.click(link)
  expect(clicked).toEqual(['link', 'button'])
})
