/** Windows of this browser tell each other that the user has proven their identity with Google. */
const CHANNEL = 'identity-confirmed'

export function announceIdentity(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

export function listenForIdentity(onConfirmed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = onConfirmed
  return () => channel.close()
}
