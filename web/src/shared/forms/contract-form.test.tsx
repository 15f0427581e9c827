import { Profile, updateProfile } from '@sought/contract/accounts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createQueryClient } from '../../data/query-client.ts'
import { currentToasts } from '../../data/toasts.ts'
import { type Answer, answer, answerLater, createFakeServer, refuse } from '../../testing/fake-server.ts'
import { aUser } from '../../testing/samples.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useContractForm } from './contract-form.ts'
import { Form } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'

const NameEntry = z.pick(Profile, { firstName: true, lastName: true })

interface NameFormProps {
  asks?: boolean
  isInDialog?: boolean
  onSuccess?: () => void
}

/** The fields are on the screen in another order than in the schema. */
function NameForm({ asks = false, isInDialog = false, onSuccess = () => {} }: NameFormProps) {
  const form = useContractForm(updateProfile, {
    schema: NameEntry,
    values: { firstName: '', lastName: 'Buyer' },
    confirm: ({ firstName }) =>
      asks
        ? { title: `Become ${firstName}?`, description: 'Everyone sees it.', confirmLabel: 'Become' }
        : null,
    input: (names) => ({ body: { ...names, email: 'ada@example.com' } }),
    failure: 'Not saved.',
    refusals: { email_taken: 'lastName' },
    explain: ({ code }) => code === 'suspended' && 'Explained.',
    onSuccess,
  })
  const fields = (
    <>
      <TextField label="Last name" {...form.field('lastName')} />
      <TextField label="First name" {...form.field('firstName')} />
    </>
  )
  return isInDialog ? (
    <FormDialog form={form} title="Name" trigger={<Button>Rename</Button>} submitLabel="Save">
      {fields}
    </FormDialog>
  ) : (
    <Form form={form} name="Name" submitLabel="Save">
      {fields}
    </Form>
  )
}

function open(reply: Answer, props: NameFormProps = {}) {
  const server = createFakeServer(reply)
  vi.stubGlobal('fetch', server.fetch)
  const rendered = render(
    <QueryClientProvider client={createQueryClient()}>
      <NameForm {...props} />
    </QueryClientProvider>,
  )
  return { ...rendered, server }
}

const saved = answer(updateProfile, aUser())
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const shownToast = () => currentToasts().find((toast) => toast.open)?.description

test('invalid fields show the contract’s messages, and the first on the screen gets the focus', async () => {
  const { server } = open(saved)
  await userEvent.clear(screen.getByLabelText('Last name'))
  await save()
  expect(await screen.findByText('First name is required')).toBeVisible()
  expect(screen.getByText('Last name is required')).toBeVisible()
  expect(screen.getByLabelText('Last name')).toHaveFocus()
  await userEvent.type(screen.getByLabelText('Last name'), 'Seller')
  expect(screen.queryByText('Last name is required')).not.toBeInTheDocument()
  expect(server.requestsTo(updateProfile)).toEqual([])
})

test('errors of the server are shown at their fields or above the button, until the next attempt', async () => {
  const issues = [
    { path: 'firstName', message: 'Too famous' },
    { path: 'bio', message: 'The bio is missing' },
  ]
  const { server } = open(refuse(updateProfile, 'invalid', issues))
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  await waitFor(() => expect(screen.getByLabelText('First name')).toHaveAccessibleDescription('Too famous'))
  expect(screen.getByLabelText('First name')).toHaveFocus()
  expect(screen.getByRole('alert')).toHaveTextContent('The bio is missing')
  expect(shownToast()).toBe('Not saved.')
  server.add(saved)
  await save()
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
  expect(screen.queryByText('Too famous')).not.toBeInTheDocument()
})

test('a refusal about one field is shown at that field, without a toast', async () => {
  const toastBefore = shownToast()
  open(refuse(updateProfile, 'email_taken'))
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  await waitFor(() =>
    expect(screen.getByLabelText('Last name')).toHaveAccessibleDescription(
      'An account with this email already exists.',
    ),
  )
  expect(screen.getByLabelText('Last name')).toHaveFocus()
  expect(shownToast()).toBe(toastBefore)
})

test('the form shows the explanation of a failure', async () => {
  open(refuse(updateProfile, 'suspended'))
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  expect(await screen.findByRole('alert')).toHaveTextContent('Explained.')
})

test('a form with a confirmation is sent only after the confirmation', async () => {
  const { server } = open(saved, { asks: true })
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  const question = within(await screen.findByRole('alertdialog', { name: 'Become Ada?' }))
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
  expect(server.requestsTo(updateProfile)).toEqual([])
  await save()
  await userEvent.click(await screen.findByRole('button', { name: 'Become' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(server.requestsTo(updateProfile)).toMatchObject([{ body: { firstName: 'Ada' } }])
})

test('a dialog keeps its entries after a failure, closes after success, and is empty when it opens again', async () => {
  const { server } = open(refuse(updateProfile, 'too_many'), { isInDialog: true })
  const openDialog = () => userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  await openDialog()
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy'))
  expect(screen.getByLabelText('First name')).toHaveValue('Ada')
  server.add(saved)
  await save()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await openDialog()
  expect(screen.getByLabelText('First name')).toHaveValue('')
})

test('the button is busy while sending, and onSuccess runs even if the form was closed in the meantime', async () => {
  const reply = answerLater(saved)
  const onSuccess = vi.fn()
  const { unmount } = open(reply, { onSuccess })
  await userEvent.type(screen.getByLabelText('First name'), 'Ada')
  await save()
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true')
  unmount()
  reply.release()
  await waitFor(() => expect(onSuccess).toHaveBeenCalledWith({ firstName: 'Ada', lastName: 'Buyer' }))
})
