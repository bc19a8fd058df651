import { StyleSheet } from 'react-native';

export const look = StyleSheet.create({
  page: { padding: 20, gap: 12 },
  card: { padding: 16, gap: 8, borderRadius: 12, backgroundColor: '#fff' },
  row: { flexDirection: 'row', justifyContent: 'space-between', gap: 12 },
  heading: { fontSize: 18, fontWeight: '600', color: '#14213d' },
  text: { fontSize: 16, color: '#14213d', flexShrink: 1 },
  small: { fontSize: 14, color: '#4a5568' },
  link: { fontSize: 16, color: '#0b5cad', paddingVertical: 12 },
  button: { padding: 14, borderRadius: 10, alignItems: 'center', backgroundColor: '#0b5cad' },
  buttonText: { fontSize: 16, fontWeight: '600', color: '#fff' },
  disabled: { opacity: 0.5 },
});
