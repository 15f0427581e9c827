export function AdminAnalyticsScreen() {
  return null
}
