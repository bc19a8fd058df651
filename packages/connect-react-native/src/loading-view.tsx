import { phoneTexts } from '@tributary/connect-js/core';
import { ActivityIndicator, Pressable, StyleSheet, Text, useColorScheme, View } from 'react-native';
import { colorsOf } from './native-colors.js';

/** Covers the WebView until the hosted app has said `hello`; it can be closed. */
export function LoadingView({ locale, onClose }: { locale: string; onClose: () => void }) {
  const texts = phoneTexts(locale);
  const colors = colorsOf(useColorScheme());
  return (
    <View style={[styles.screen, { backgroundColor: colors.background }]}>
      <ActivityIndicator accessibilityLabel={texts.loading} color={colors.text} size="large" />
      <Pressable accessibilityRole="button" onPress={onClose} style={styles.close}>
        <Text style={[styles.label, { color: colors.text }]}>{texts.close}</Text>
      </Pressable>
    </View>
  );
}

const styles = StyleSheet.create({
  screen: {
    position: 'absolute',
    top: 0,
    right: 0,
    bottom: 0,
    left: 0,
    alignItems: 'center',
    justifyContent: 'center',
  },
  close: {
    position: 'absolute',
    bottom: 48,
    minHeight: 48,
    minWidth: 96,
    justifyContent: 'center',
  },
  label: { fontSize: 17, textAlign: 'center' },
});
