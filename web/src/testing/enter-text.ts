import { userEvent } from '@testing-library/user-event'

/** Clicks a field and pastes a text, for tests that are not about typing. Each typed letter would render the screen. */
export async function enterText(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}
