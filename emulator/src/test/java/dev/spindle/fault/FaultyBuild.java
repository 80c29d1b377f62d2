package dev.spindle.fault;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * This program once more, with one source file changed: compiled in memory, and loaded with all
 * other classes of Spindle apart from those that run. Libraries are the same.
 */
final class FaultyBuild extends URLClassLoader {
    private static final String ROOT = "dev.spindle.";
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Map<String, byte[]> changed;

    private FaultyBuild(Map<String, byte[]> changed) throws MalformedURLException {
        super(urls(), FaultyBuild.class.getClassLoader());
        this.changed = changed;
    }

    /** With this for the source of that class. */
    static FaultyBuild of(String className, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (Outputs outputs = new Outputs(compiler)) {
            boolean isCompiled =
                    compiler.getTask(
                                    complaints,
                                    outputs,
                                    null,
                                    List.of("-nowarn", "-proc:none", "-cp", CLASS_PATH),
                                    null,
                                    List.of(new Source(className, source)))
                            .call();
            if (!isCompiled) {
                throw new IllegalArgumentException(className + ": " + complaints);
            }
            return new FaultyBuild(outputs.classes());
        }
    }

    private static URL[] urls() throws MalformedURLException {
        String[] places = CLASS_PATH.split(File.pathSeparator, -1);
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) {
            urls[i] = new File(places[i]).toURI().toURL();
        }
        return urls;
    }

    /** Of Spindle its own classes, of all else its parent's. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(ROOT)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = changed.get(name);
        return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("source:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoresEncodingErrors) {
            return text;
        }
    }

    /** Keeps what is compiled in memory. */
    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> streams = new HashMap<>();

        Outputs(JavaCompiler compiler) {
            super(compiler.getStandardFileManager(null, null, null));
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            assert location == StandardLocation.CLASS_OUTPUT;
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            streams.put(className, stream);
            return new SimpleJavaFileObject(URI.create("class:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return stream;
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            streams.forEach((name, stream) -> classes.put(name, stream.toByteArray()));
            return classes;
        }
    }
}
