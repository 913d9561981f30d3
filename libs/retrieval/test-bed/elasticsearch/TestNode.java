import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * One real Elasticsearch node on the loopback device. Arguments: home folder, HTTP port (0 for a free one), and "tied" where the
 * node ends with the process that started it: it then ends when its standard input does. Writes the port into home/ready.
 */
public final class TestNode {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        boolean tied = arguments.length > 2 && arguments[2].equals("tied");
        LogConfigurator.configureESLogging(); // before anything else, or all its loggers are null
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("cluster.name", "reenact-test").put("node.name", "test")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false) // a full disk of the machine is not what is tested
            .build();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "test");
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir(), false),
            PluginsLoader.loadPluginsBundles(environment.pluginsDir(), false),
            Map.of(),
            false); // everything is on the class path, so there is no module layer to export from
        Node node = new Node(environment, plugins);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        if (tied) endWithInput();
        node.start();
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        Path aside = home.resolve("ready.new");
        Files.writeString(aside, Integer.toString(port));
        Files.move(aside, home.resolve("ready"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        Thread.currentThread().join();
    }

    private static void close(Node node) {
        try {
            node.close();
        } catch (Exception failure) {
            failure.printStackTrace();
        }
    }

    private static void endWithInput() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (java.io.IOException broken) {
                // as good as an end
            }
            System.exit(0);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
