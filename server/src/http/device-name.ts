import Bowser from 'bowser'

/**
 * For an unknown browser, Bowser returns the text at the start of the header. Only names that it knows are shown.
 */
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))

const SHORT_NAMES: Record<string, string> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  macOS: 'Mac',
  'Chrome OS': 'ChromeOS',
}

const shorten = (name: string) => SHORT_NAMES[name] ?? name

/** For example, 'Chrome on Windows' or 'Safari on iPhone'. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser'
  const { browser, os, platform } = Bowser.parse(userAgent)
  const browserName =
    browser.name && KNOWN_BROWSERS.has(browser.name) ? shorten(browser.name) : 'Unknown browser'
  const systemName = os.name === 'iOS' ? platform.model : os.name
  return systemName ? `${browserName} on ${shorten(systemName)}` : browserName
}
